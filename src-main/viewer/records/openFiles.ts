/** Archive files held open for a moment: the parts of a page lie in one or two files of its job and are asked for within
 *  a second, and opening costs more than reading. Never for long: a file that a check found damaged, or that somebody
 *  moves, must not be served from here. */
import type { ReadableFile, World } from '../../world/world.ts'
import { openBrokenRecords, type BrokenRecords } from './brokenRecords.ts'
import { openFileMsMax, openFilesMax } from '../model/limits.ts'

export interface OpenFiles {
  /** What the catalogue says of it; undefined: it has no file of this name. */
  archived(name: string): { job: number | null } | undefined
  /** Undefined when no replica gives it. Whoever gets a file releases it, once. */
  borrow(name: string): Promise<BorrowedFile | undefined>
  /** Of the records in them. */
  readonly broken: BrokenRecords
  close(): Promise<void>
}

export interface BorrowedFile {
  file: ReadableFile
  release(): Promise<void>
}

/** As much as is asked of an archive. */
export interface Opening {
  openFile(name: string): Promise<{ file: ReadableFile } | undefined>
  file(name: string): { job: number | null } | undefined
}

interface Held {
  opened: ReturnType<Opening['openFile']>
  /** Borrowers, and one more while it may still be lent. */
  holders: number
}

export function openFiles(archive: Opening, { clock }: Pick<World, 'clock'>): OpenFiles {
  const held = new Map<string, Held>()
  const lending = new Set<Promise<void>>()
  const closing = new AbortController()

  async function release(each: Held): Promise<void> {
    each.holders -= 1
    if (each.holders > 0) return
    // Should opening have failed, whoever wanted the file has heard of it.
    const opened = await each.opened.catch(() => undefined)
    await opened?.file.close()
  }

  async function lendFor(name: string, each: Held): Promise<void> {
    try {
      await clock.sleep(openFileMsMax, closing.signal)
    } catch (error) {
      if (!closing.signal.aborted) throw error
    }
    if (held.get(name) === each) held.delete(name)
    await release(each)
  }

  function open(name: string): Held {
    const each = { opened: archive.openFile(name), holders: 1 }
    // Beyond the bound it is opened for this borrower alone.
    if (held.size >= openFilesMax) return each
    held.set(name, each)
    each.holders += 1
    const over = lendFor(name, each).finally(() => lending.delete(over))
    lending.add(over)
    return each
  }

  return {
    broken: openBrokenRecords(),
    archived: (name) => archive.file(name),
    async borrow(name) {
      const known = held.get(name)
      if (known) known.holders += 1
      const each = known ?? open(name)
      const opened = await each.opened
      // It may be there again in the next moment.
      if (opened === undefined) held.delete(name)
      let released: Promise<void> | undefined
      return opened && { file: opened.file, release: () => (released ??= release(each)) }
    },
    async close() {
      closing.abort()
      await Promise.all(lending)
    },
  }
}
