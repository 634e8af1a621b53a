/** Results of an ordered run that were received and are not written: the next one in memory, all others in files. */
import type { Store } from '../../storage/storage.ts'
import type { Result } from '../settle/result.ts'
import { orderStatements } from './commitWindow.sql.ts'
import type { EarlyResults } from './earlyResults.ts'

/** The held results. */
export interface HeldResults {
  /** Length of all files in bytes. */
  readonly fileBytes: number
  /** Holds the result whose turn it is. */
  hold(number: number, result: Result): void
  /** Keeps a result that others come before. Resolves when it is in a file; its body is released. */
  keep(number: number, result: Result): Promise<void>
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
  let fileBytes = 0

  function addFile(number: number, bytes: number): void {
    files.set(number, bytes)
    fileBytes += bytes
  }

  return {
    get fileBytes() {
      return fileBytes
    },
    hold: (number, result) => void results.set(number, () => Promise.resolve(result)),
    async keep(number, result) {
      const kept = early.keep(number, result).then((bytes) => {
        addFile(number, bytes)
        store.unsyncedTransaction(() => sql.acknowledge.run({ job, number, isAcknowledged: 1 }))
      })
      results.set(number, () => kept.then(() => early.read(number)))
      await kept
      if (result.kind === 'fetched') await result.release()
    },
    takeOver(number, bytes) {
      addFile(number, bytes)
      results.set(number, () => early.read(number))
    },
    async take(number) {
      const read = results.get(number)
      results.delete(number)
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
