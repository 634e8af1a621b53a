/** Keeps archive files open for `openFileMsMax`: the resources of a page are in one or two files and are requested within a
 *  second, and opening a file takes longer than reading from it. They are not kept for longer, because a file that a check found damaged, or
 *  that was moved, must not be served from here. */
import { sharedFile, type SharedFile } from '../../archive/store/sharedFile.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { ReadableFile, World } from '../../world/world.ts'
import { openBrokenRecords, type BrokenRecords } from './brokenRecords.ts'
import { openRecordCache, type RecordCache } from './recordCache.ts'
import { openFileMsMax, openFilesMax } from '../model/limits.ts'

/** The archive files that are open for replay. */
export interface OpenFiles {
  /** The catalogue's entry for a file. Undefined if it has no file of this name. */
  archived(name: string): { job: number | null } | undefined
  /** Lends a file, to be released once by the borrower. Undefined if no replica provides it. */
  borrow(name: string): Promise<BorrowedFile | undefined>
  /** Damaged records in these files. */
  readonly broken: BrokenRecords
  /** Records of these files that were read lately. */
  readonly recent: RecordCache
  close(): Promise<void>
}

/** A file lent to one borrower. Several borrowers may share it. */
export interface BorrowedFile {
  file: ReadableFile
  release(): Promise<void>
}

/** The part of `Archive` that is used here. */
export interface Opening {
  openFile(name: string): Promise<{ file: ReadableFile } | undefined>
  file(name: string): { job: number | null } | undefined
}

type Held = SharedFile<{ file: ReadableFile }>

interface Parts extends Pick<World, 'clock'> {
  archive: Opening
  /** Memory for records, in bytes (`recordCache.ts`). */
  recordCacheBytesMax: () => number
}

/** Makes the set of open files; it is empty at first. */
export function openFiles({ archive, clock, recordCacheBytesMax }: Parts): OpenFiles {
  const recent = openRecordCache({ bytesMax: recordCacheBytesMax, clock })
  const held = new Map<string, Held>()
  const lending = new Set<Promise<void>>()
  const closing = new AbortController()

  /** Ends the lending of a file after `openFileMsMax`. Borrowers keep it until they release it. */
  async function lendFor(name: string, each: Held): Promise<void> {
    const release = each.hold()
    await sleepUnlessAborted(clock, openFileMsMax, closing.signal)
    if (held.get(name) === each) held.delete(name)
    await release()
  }

  function open(name: string): Held {
    const each = sharedFile(archive.openFile(name))
    // Above the limit the file is opened for this borrower only.
    if (held.size >= openFilesMax) return each
    held.set(name, each)
    // A file that is missing or could not be opened may be available again at any moment.
    const forget = () => void (held.get(name) === each && held.delete(name))
    void each.opened.then((opened) => opened ?? forget(), forget)
    const over = lendFor(name, each).finally(() => lending.delete(over))
    lending.add(over)
    return each
  }

  return {
    broken: openBrokenRecords(),
    recent,
    archived: (name) => archive.file(name),
    async borrow(name) {
      const each = held.get(name) ?? open(name)
      const release = each.hold()
      const opened = await each.opened
      return opened && { file: opened.file, release }
    },
    async close() {
      closing.abort()
      await recent.close()
      await Promise.all(lending)
    },
  }
}
