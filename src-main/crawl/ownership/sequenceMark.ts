/** The file `jobs/.sequence`, a record of the database's sequence number outside of the database. The database counts its changes
 *  (`database_state`), and this file follows shortly afterwards. If the file is ahead, the database is certainly an older one: it was
 *  restored from a copy or created again. If the file lags, nothing follows, since a kill or a power failure causes that too. Every
 *  start raises both numbers and syncs the file before any work begins, so a copy from before the last start is always detected.
 *  Limitation: a copy made just before Loupe ended cannot be distinguished from the database at the end.
 *
 *  The first line is the id of the archive; every other line is a number, and the last complete line counts. Lines are appended
 *  several times per second without syncing, and the file is rewritten when it has grown to `markBytesMax`. */
import { join } from 'node:path'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World, type WritableFile } from '../../world/world.ts'
import { databaseState } from './databaseState.sql.ts'

/** Age of the database compared with the mark; `unmarked` if there is no mark. */
export type DatabaseAge = 'current' | 'older' | 'unmarked'

/** Contents of the mark. */
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
/** Size beyond which the file is rewritten, about every quarter of an hour of a harvest. */
const markBytesMax = 65_536
/** Limit on reading the file, above any size that it reaches before it is rewritten. */
const markBytesReadMax = 4 * markBytesMax

/** Path of the mark in the folder of jobs. */
export function pathOfMark(folder: string): string {
  return join(folder, markName)
}

/** Reads the mark; undefined if it is missing, unreadable or malformed. */
export async function readMark({ world, folder }: Omit<Place, 'store'>): Promise<Mark | undefined> {
  let text
  try {
    text = Buffer.from(await world.disk.read(pathOfMark(folder), markBytesReadMax)).toString('latin1')
  } catch (error) {
    if (error instanceof DiskFault) return undefined
    throw error
  }
  // Text after the last end of line is an incomplete line.
  const [first = '', ...numbers] = text.split('\n').slice(0, -1)
  const archiveId = /^archive ([0-9a-f-]{32,36})$/.exec(first)?.[1]
  const sequence = numbers.findLast((line) => /^\d{1,15}$/.test(line))
  return archiveId === undefined || sequence === undefined ? undefined : { archiveId, sequence: Number(sequence) }
}

/** Reads the mark and compares the database with it. */
export async function databaseAge(place: Place): Promise<DatabaseAge> {
  return ageOf(place.store, await readMark(place))
}

/** Compares the database with a mark. A mark of another archive also means `older`. */
export function ageOf(store: Store, mark: Mark | undefined): DatabaseAge {
  if (!mark) return 'unmarked'
  const { archiveId, sequence } = databaseState(store)
  return mark.archiveId === archiveId && mark.sequence <= sequence ? 'current' : 'older'
}

/** The mark, opened for writing. */
export interface SequenceMark {
  /** Updates the file. If the disk refuses, the file lags, which does no harm. */
  note(): Promise<void>
  /** Updates the file a last time and closes it. */
  close(): Promise<void>
}

/** Opens the mark and writes the current number. */
export async function openSequenceMark({ store, world, folder }: Place): Promise<SequenceMark> {
  const path = pathOfMark(folder)
  let file: WritableFile | undefined
  let written = -1
  let following: Promise<void> | undefined

  /** Rewrites the file with the current number alone, and opens it for appending. */
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
