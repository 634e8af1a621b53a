/**
 * Record lists of archive files for display: page by page, and single records whole. All reading is done in threads. Pages are requested by
 * record numbers; the position at which a page begins is cached, and found again from the beginning of the file when it is no longer known.
 */
import { message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { RecordWhole } from '../../contract/services/records.ts'
import type { World } from '../../world/world.ts'
import { positionsMax } from '../disk/limits.ts'
import type { PageInput } from './recordPage.thread.ts'
import type { PageWanted, RecordPage, RecordPosition } from './recordPage.ts'
import type { RecordInFile } from './recordWhole.ts'
import type { Shown, ShowInput } from './showRecord.thread.ts'

/** A file by its name, and the copy of it that is read. */
export interface ReadCopy {
  file: string
  path: string
}

/** Reads pages of lists and single records. */
export interface RecordLists {
  /** Reads a page: at most `limit` rows after record number `after`. */
  page(copy: ReadCopy, wanted: Pick<PageWanted, 'after' | 'limit' | 'type'>): Promise<Omit<RecordPage, 'position'>>
  /** Reads a whole record. Throws `Fault` notFound when no record begins there. */
  whole(
    copy: ReadCopy,
    place: { offset: number; number: number | undefined },
  ): Promise<RecordInFile & Pick<RecordWhole, 'number'>>
}

/** The beginning of a file. */
const beginning: RecordPosition = { offset: 0, before: 0 }

/** Makes the reader. It remembers positions, and holds no file open. */
export function recordLists(world: World): RecordLists {
  const positions = new Positions()

  function show(input: ShowInput): Promise<Shown | undefined> {
    return world.threads.run<ShowInput, Shown | undefined>(new URL('./showRecord.thread.ts', import.meta.url), input)
  }

  return {
    async page({ file, path }, { after, limit, type }) {
      const from = positions.before(file, after)
      const { position, ...page } = await world.threads.run<PageInput, RecordPage>(
        new URL('./recordPage.thread.ts', import.meta.url),
        { path, wanted: { file, from, after, limit, type } },
      )
      positions.add(file, position)
      return page
    },
    async whole({ file, path }, { offset, number }) {
      const first = await show({ path, file, offset })
      if (first && (first.alone || number === undefined)) return numbered(first.record, number ?? null)
      if (number !== undefined) {
        const counted = { number, from: positions.before(file, number - 1) }
        const found = await show({ path, file, offset, counted })
        if (found) return numbered(found.record, number)
      }
      throw new Fault('notFound', message('record.absent', { file, offset }))
    },
  }
}

/** Adds the number; a record opened by its offset has none. */
function numbered(record: RecordInFile, number: number | null): RecordInFile & Pick<RecordWhole, 'number'> {
  return { ...record, number, findingList: record.findingList.map((found) => ({ ...found, record: number })) }
}

/** Positions in files with the number of records before them; the least recently used are dropped. */
class Positions {
  #known = new Map<string, { file: string; position: RecordPosition }>()

  add(file: string, position: RecordPosition): void {
    const key = `${position.before} ${file}`
    this.#known.delete(key)
    this.#known.set(key, { file, position })
    const oldest = this.#known.keys().next()
    if (this.#known.size > positionsMax && !oldest.done) this.#known.delete(oldest.value)
  }

  /** Returns the last position before any record that follows number `after`. */
  before(file: string, after: number): RecordPosition {
    let best = beginning
    for (const known of this.#known.values())
      if (known.file === file && known.position.before <= after && known.position.before > best.before)
        best = known.position
    return best
  }
}
