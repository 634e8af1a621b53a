/** Writes the progress of an import's files to the database, for all of them together and at most every `progressEveryMs`. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { importedFileStatements } from './importedFiles.sql.ts'
import { progressEveryMs } from './limits.ts'

/** Collects the progress of files. */
export interface ProgressTally {
  /** Notes that `bytes` of the file are done. */
  reached(file: number, bytes: number): void
  /** Drops the progress of a finished file; its final state is written by the caller. */
  settled(file: number): void
}

/** Creates the tally; `onMoved` is called with the files whose progress was written. */
export function progressTally({
  store,
  world,
  onMoved,
}: {
  store: Store
  world: World
  onMoved(files: number[]): void
}): ProgressTally {
  const sql = importedFileStatements(store)
  const reached = new Map<number, number>()
  let writtenMs = world.clock.elapsed()

  return {
    reached(file, bytes) {
      reached.set(file, Math.floor(bytes))
      if (world.clock.elapsed() - writtenMs < progressEveryMs) return
      writtenMs = world.clock.elapsed()
      const files = [...reached]
      reached.clear()
      store.transaction(() => files.forEach(([id, done]) => sql.setProgress.run({ id, bytes: done })))
      onMoved(files.map(([id]) => id))
    },
    settled(file) {
      reached.delete(file)
      onMoved([file])
    },
  }
}
