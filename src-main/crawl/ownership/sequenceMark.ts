/** The file `jobs/.sequence`: how far the database had come when it was last seen at work, outside of the database. The database counts
 *  its changes (`database_state`), and this file follows a moment later. So a file that is ahead of the database says for certain that
 *  the database is an older one: restored from a copy, or made anew. A file that is behind says nothing; a kill or a power cut leaves
 *  it so. Every start raises both numbers, and its number is synced before any work begins, so a copy of an earlier life of Loupe is always
 *  told. The limit: a copy of the last moment before Loupe ended is not told from the database that ended.
 *
 *  The first line names the archive; each further one is a number, and the last whole line counts. Further lines are appended and not
 *  synced, several times a second, and the file is written anew when it has grown. */
import { join } from 'node:path'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World, type WritableFile } from '../../world/world.ts'
import { databaseState } from './databaseState.sql.ts'

/** `unmarked`: there is no mark to tell by. */
export type DatabaseAge = 'current' | 'older' | 'unmarked'

export interface Mark {
  archiveId: string
  sequence: number
}

interface Place {
  store: Store
  world: Pick<World, 'disk'>
  /** `<archive>/jobs`. */
  folder: string
}

const markName = '.sequence'
/** Written anew beyond this, about every quarter of an hour of a harvest. */
const markBytesMax = 65_536
/** What a file may have grown to before it was written anew. */
const markBytesReadMax = 4 * markBytesMax

export function pathOfMark(folder: string): string {
  return join(folder, markName)
}

export async function readMark({ world, folder }: Omit<Place, 'store'>): Promise<Mark | undefined> {
  let text
  try {
    text = Buffer.from(await world.disk.read(pathOfMark(folder), markBytesReadMax)).toString('latin1')
  } catch (error) {
    if (error instanceof DiskFault) return undefined
    throw error
  }
  // What follows the last end of line was cut short.
  const [first = '', ...numbers] = text.split('\n').slice(0, -1)
  const archiveId = /^archive ([0-9a-f-]{32,36})$/.exec(first)?.[1]
  const sequence = numbers.findLast((line) => /^\d{1,15}$/.test(line))
  return archiveId === undefined || sequence === undefined ? undefined : { archiveId, sequence: Number(sequence) }
}

export async function databaseAge(place: Place): Promise<DatabaseAge> {
  return ageOf(place.store, await readMark(place))
}

export function ageOf(store: Store, mark: Mark | undefined): DatabaseAge {
  if (!mark) return 'unmarked'
  const { archiveId, sequence } = databaseState(store)
  return mark.archiveId === archiveId && mark.sequence <= sequence ? 'current' : 'older'
}

export interface SequenceMark {
  /** Brings the file up to date, now or soon. A disk that refuses leaves it behind, which harms nothing. */
  note(): Promise<void>
  close(): Promise<void>
}

export async function openSequenceMark({ store, world, folder }: Place): Promise<SequenceMark> {
  const path = pathOfMark(folder)
  let file: WritableFile | undefined
  let written = -1
  let following: Promise<void> | undefined

  /** The file with nothing but the present number, ready to be appended to. */
  async function begun(): Promise<WritableFile> {
    const { archiveId, sequence } = databaseState(store)
    await world.disk.write(path, Buffer.from(`archive ${archiveId}\n${sequence}\n`))
    written = sequence
    return world.disk.openWrite(path, 'append')
  }

  async function follow(): Promise<void> {
    const { sequence } = databaseState(store)
    if (sequence === written) return
    try {
      if (!file || file.position > markBytesMax) {
        await file?.close()
        file = undefined
        file = await begun()
        return
      }
      await file.append([Buffer.from(`${sequence}\n`)])
      written = sequence
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
    }
  }

  function note(): Promise<void> {
    following ??= follow().finally(() => (following = undefined))
    return following
  }

  await note()
  return {
    note,
    async close() {
      await following
      await note()
      await file?.close()
    },
  }
}
