/** Which names a file may have in the archive, and the names that are not files of the archive. A name is the same on every
 *  replica, so only what every file system takes is allowed; it is never a path. */
import { nameLengthMax } from './limits.ts'

/** Where files go that were found wrong: a folder in the replica's, so that no list of the replica's files shows them. */
export const atticName = 'attic'

/** Lies in every replica's folder and holds the replica's name: an empty mount point does not have it. */
export const markName = '.loupe-replica'

const safe = /^[A-Za-z0-9][A-Za-z0-9._+=@~,-]*$/
/** Windows takes these for devices, whatever the extension. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Why `name` cannot be the name of a file in the archive, as the end of a sentence; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (name.length === 0) return 'it is empty'
  if (name.length > nameLengthMax) return `it is longer than ${nameLengthMax} characters`
  if (!safe.test(name)) return 'only letters, digits and . _ - + = @ ~ , are allowed, beginning with a letter or digit'
  if (name.endsWith('.')) return 'it ends with a dot, which Windows drops'
  // A file of this name would be in the way of every repair.
  if (name.toLowerCase() === atticName) return 'it is that of the folder for what was taken out of service'
  if (device.test(name)) return 'it is the name of a device on Windows'
  return undefined
}

/** Where a file is written before it has its name. It begins with a dot, which no name in the archive does. */
export function temporaryName(name: string): string {
  return `.${name}.part`
}

/** The file whose copy was left unfinished under this name, if it is such a name. */
export function nameOfTemporary(temporary: string): string | undefined {
  return /^\.(.+)\.part$/.exec(temporary)?.[1]
}
