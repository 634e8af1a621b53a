/** Valid names of files in the archive, and reserved names. A name is the same in every replica, so only what every file system
 *  accepts is allowed; it is never a path. */
import { message, type Message } from '../../contract/words/message.ts'
import { nameLengthMax } from './limits.ts'

/** Folder in a replica for files taken out of service; lists of the replica's files omit folders. */
export const atticName = 'attic'

/** Name of the mark file in every replica's folder. It holds the replica's name; an empty mount point lacks it. */
export const markName = '.loupe-replica'

const safe = /^[A-Za-z0-9][A-Za-z0-9._+=@~,-]*$/
/** Windows treats these names as devices, whatever the extension. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Reason why `name` is not a valid file name in the archive, as the end of a sentence; undefined when it is. */
export function nameProblem(name: string): Message | undefined {
  if (name.length === 0) return message('fileName.empty')
  if (name.length > nameLengthMax) return message('fileName.long', { max: nameLengthMax })
  if (!safe.test(name)) return message('fileName.characters')
  if (name.endsWith('.')) return message('fileName.dot')
  // A file of this name would block every repair.
  if (name.toLowerCase() === atticName) return message('fileName.attic')
  if (device.test(name)) return message('fileName.device')
  return undefined
}

/** Temporary name of a file while it is written. It begins with a dot, as no name in the archive does. */
export function temporaryName(name: string): string {
  return `.${name}.part`
}

/** Temporary name of a copy that is fetched from a replica without folder, to be copied to others. */
export function fetchedName(name: string): string {
  return `.${name}.fetched`
}

/** The file name that belongs to a temporary name; undefined when the name is not temporary. */
export function nameOfTemporary(temporary: string): string | undefined {
  return /^\.(.+)\.(?:part|fetched)$/.exec(temporary)?.[1]
}
