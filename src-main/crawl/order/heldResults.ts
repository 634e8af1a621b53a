/** Results of an ordered run that were received and are not written: in memory while they are few, in files beyond that and when the run is
 *  paused. A kill loses those in memory; their documents are fetched again under the same numbers. */
import type { Store } from '../../storage/storage.ts'
import { earlyMemoryBytesMax } from '../model/limits.ts'
import { bytesOf, type Result } from '../settle/result.ts'
import { orderStatements } from './commitWindow.sql.ts'
import type { EarlyResults } from './earlyResults.ts'

/** The held results. */
export interface HeldResults {
  /** Length of all files in bytes. */
  readonly fileBytes: number
  /** Holds the result whose turn it is. */
  hold(number: number, result: Result): void
  /** Keeps a result that others come before. Beyond a bound of memory it is in a file then, and its body is released. */
  keep(number: number, result: Result): Promise<void>
  /** Writes everything that is in memory to files. */
  writeFiles(): Promise<void>
  /** Takes over a file of the last segment. */
  takeOver(number: number, bytes: number): void
  /** Returns the result and holds it no longer; undefined if there is none. */
  take(number: number): Promise<Result | undefined>
  /** Removes the file of a result that is written, if it has one. */
  remove(number: number): Promise<void>
}

/** Opens the held results of a segment. */
export function heldResults(early: EarlyResults, { store, job }: { store: Store; job: number }): HeldResults {
  const sql = orderStatements(store)
  const results = new Map<number, () => Promise<Result>>()
  const files = new Map<number, number>()
  const inMemory = new Map<number, Result>()
  let fileBytes = 0
  let memoryBytes = 0

  function addFile(number: number, bytes: number): void {
    files.set(number, bytes)
    fileBytes += bytes
  }

  async function writeFile(number: number, result: Result): Promise<void> {
    const kept = early.keep(number, result).then((bytes) => {
      addFile(number, bytes)
      store.unsyncedTransaction(() => sql.acknowledge.run({ job, number, isAcknowledged: 1 }))
    })
    results.set(number, () => kept.then(() => early.read(number)))
    await kept
    if (result.kind === 'fetched') await result.release()
  }

  function leaveMemory(number: number): void {
    const result = inMemory.get(number)
    if (!inMemory.delete(number) || !result) return
    memoryBytes -= bytesOf(result)
  }

  return {
    get fileBytes() {
      return fileBytes
    },
    hold: (number, result) => void results.set(number, () => Promise.resolve(result)),
    async keep(number, result) {
      const bytes = bytesOf(result)
      if (memoryBytes + bytes > earlyMemoryBytesMax) return writeFile(number, result)
      memoryBytes += bytes
      inMemory.set(number, result)
      results.set(number, () => Promise.resolve(result))
    },
    async writeFiles() {
      for (const [number, result] of inMemory) {
        leaveMemory(number)
        await writeFile(number, result)
      }
    },
    takeOver(number, bytes) {
      addFile(number, bytes)
      results.set(number, () => early.read(number))
    },
    async take(number) {
      const read = results.get(number)
      results.delete(number)
      leaveMemory(number)
      return read?.()
    },
    async remove(number) {
      const bytes = files.get(number)
      if (bytes === undefined) return
      files.delete(number)
      fileBytes -= bytes
      await early.remove(number)
    },
  }
}
