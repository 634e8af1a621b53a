/** Starts copying and checking of the database, in a thread outside of the pool, since one SQLite statement may take a minute. Rejects
 *  with `StorageFault`, `DiskFault`, or the signal's reason. */
import type { World } from '../../world/world.ts'
import type { CheckedCopy } from './checkCopy.thread.ts'
import { copyHeapBytesMax, copyStopMsMax } from './limits.ts'
import type { CopyInput, CopyOutcome, CopyReport } from './writeCopy.thread.ts'

/** Copying and checking of the database. */
export interface DatabaseCopy {
  /** Copies the live database to `target` through `snapshot`; both are empty files. Nothing is written to `target` when the live
   *  database is damaged. */
  write(
    input: Pick<CopyInput, 'snapshot' | 'target'>,
    options: { signal: AbortSignal; onReport: (report: CopyReport) => void },
  ): Promise<CopyOutcome>
  /** Problems of the copy at `path`, and its contents. */
  check(path: string, options: { signal: AbortSignal; onReport: (share: number) => void }): Promise<CheckedCopy>
}

export function databaseCopy(world: World, { source, leftOut }: Pick<CopyInput, 'source' | 'leftOut'>): DatabaseCopy {
  async function inThread<Input, Output, Report>(
    module: URL,
    input: Input,
    options: { signal: AbortSignal; onReport: (report: Report) => void },
  ): Promise<Output> {
    const thread = world.threads.own({ heapBytesMax: copyHeapBytesMax, stopMsMax: copyStopMsMax })
    try {
      return await thread.run<Input, Output, Report>(module, input, options)
    } finally {
      thread.close()
    }
  }
  return {
    write: (input, options) =>
      inThread<CopyInput, CopyOutcome, CopyReport>(
        new URL('./writeCopy.thread.ts', import.meta.url),
        { ...input, source, leftOut },
        options,
      ),
    check: (path, options) =>
      inThread<string, CheckedCopy, number>(new URL('./checkCopy.thread.ts', import.meta.url), path, options),
  }
}
