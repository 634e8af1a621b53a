/** Commits the writes of many documents together: a sync of the disk takes milliseconds, and a document needs several. */
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'

/** Writes that are made together. */
export interface GroupCommit {
  /** Runs `write` in the next transaction. Resolves with its result when that is durable. Rejects with what the transaction throws: then
   *  nothing of it was written, and no further write is taken. */
  write<Result>(write: () => Result): Promise<Result>
}

/** Writes of one transaction: it must not hold the thread for long. */
const writesMax = 1_000
/** How long a write waits for others. */
const waitMs = 5

interface GroupCommitSetting {
  store: Store
  clock: Pick<Clock, 'sleep'>
  signal: AbortSignal
}

interface Waiting {
  write: () => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** Begins to take writes. After `signal` none is made any more, and none settles: a stop and a kill leave the same state. */
export function groupCommit({ store, clock, signal }: GroupCommitSetting): GroupCommit {
  let waiting: Waiting[] = []
  let failure: { error: unknown } | undefined

  function commit(): void {
    const group = waiting
    waiting = []
    if (group.length === 0 || signal.aborted) return
    try {
      const results = store.transaction(() => group.map(({ write }) => write()))
      group.forEach(({ resolve }, at) => resolve(results[at]))
    } catch (error) {
      failure = { error }
      for (const { reject } of group) reject(error)
    }
  }

  return {
    write: <Result>(write: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        if (failure) return reject(failure.error)
        waiting.push({ write, resolve: (result) => resolve(result as Result), reject })
        if (waiting.length >= writesMax) commit()
        else if (waiting.length === 1) void clock.sleep(waitMs).then(commit)
      }),
  }
}
