/** How far the files of an import are, written down for all of them together and no more often than a person can see. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { importStatements } from './imports.sql.ts'
import { progressEveryMs } from './limits.ts'

export interface ProgressTally {
  /** `bytes` of the file are done. */
  reached(file: number, bytes: number): void
  /** Its end is written down by whoever settles it. */
  settled(file: number): void
}

export function progressTally({
  store,
  world,
  onMoved,
}: {
  store: Store
  world: World
  onMoved(files: number[]): void
}): ProgressTally {
  const sql = importStatements(store)
  const reached = new Map<number, number>()
  let writtenMs = world.clock.elapsed()

  return {
    reached(file, bytes) {
      reached.set(file, Math.floor(bytes))
      if (world.clock.elapsed() - writtenMs < progressEveryMs) return
      writtenMs = world.clock.elapsed()
      const files = [...reached]
      reached.clear()
      store.transaction(() => files.forEach(([id, done]) => sql.setDone.run({ id, bytes: done })))
      onMoved(files.map(([id]) => id))
    },
    settled(file) {
      reached.delete(file)
      onMoved([file])
    },
  }
}
