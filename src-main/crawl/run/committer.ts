/** Commits results in batches. The effects of a batch have a fixed order:
 *  1. the output writes the records (the archive output: to the WARC file, synced);
 *  2. one transaction settles the documents, adds their outlinks and makes the records count;
 *  3. further transactions update the documents whose distance from the seeds has changed;
 *  4. `commit` resolves for every result of the batch, and the spooled bodies are removed.
 *  A kill between two steps therefore leaves at most records that do not count, and distances that `follow` updates at the next
 *  start. Results that arrive during a commit share the next one, so that one fsync serves all of them. One committer belongs to one
 *  running job, and nothing else writes to its output. */
import type { Output, Place } from '../capture/connectors/connector.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { sumOf, type Changed } from '../frontier/counts.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { LiveRun } from '../live/liveRun.ts'
import { clockStatements } from '../model/clock.sql.ts'
import { bytesOf, type Result } from '../settle/result.ts'
import type { Store } from '../../storage/storage.ts'
import { distancesOf, type Distances } from './distances.ts'
import { resultWriter, type ResultWriterSetting, type WriteResult } from './resultWriter.ts'

/** The committer of one running job. */
export interface Committer {
  /** Resolves when the result is durable. Rejects with `DiskFault` or `StorageFault` if nothing of it was stored, or if its
   *  consequences for other documents could not be stored. */
  commit(result: Result): Promise<void>
  /** Completes changes of distances that a kill interrupted. Called before the first turn. */
  follow(): void
  /** Bytes of answers whose commit has not ended. */
  readonly waitingBytes: number
  /** Resolves when everything is committed and the output is closed. */
  close(): Promise<void>
}

interface Waiting {
  result: Result
  resolve(): void
  reject(error: unknown): void
}

/** Parameters of a committer. */
export interface CommitterSetting extends ResultWriterSetting {
  frontier: Frontier
  output: Output
  /** Called within the transaction with the result of each document; keeps the counts of its host. */
  live?: Pick<LiveRun, 'note' | 'writeCounts' | 'forget'> | undefined
  /** Called within the transaction after each result, in their order. */
  onWritten?: ((result: Result, written: Changed) => void) | undefined
  /** Called within the transaction of every commit, to store data together with the results. */
  alongside?: (results: readonly Result[]) => void
  onCommitted: (committed: Changed) => void
  /** The monotonic clock, in milliseconds. */
  elapsed: () => number
}

/** Age of the last commit that waited for the disk from which the next one waits, too. Every commit survives the end of the process;
 *  a power failure may undo those since the last one that waited, and their documents are fetched again. The records are on the disk
 *  before each commit, so the database never counts bytes that a power failure took. A wait costs 1 ms on a server and 7 ms on a busy
 *  machine. */
const unsyncedMsMax = 1_000

/** Opens the committer of a job. */
export function committerOf(setting: CommitterSetting): Committer {
  const { store, frontier, output, onCommitted } = setting
  const distances = distancesOf(setting.range, frontier, setting.now)
  const count = counterOf(setting)
  const write = batchWriter(setting, { count, settle: resultWriter(setting), distances })
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await commitBatch(batch)
    }
    running = undefined
  }

  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      // Reduced before the callers resume, because they check at once whether there is room for more.
      const committed = await write(batch.map(({ result }) => distances.inRange(result))).finally(() => {
        waitingBytes -= batch.reduce((total, { result }) => total + bytesOf(result), 0)
      })
      onCommitted(committed)
      follow()
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    // A body that cannot be removed does not invalidate the commit; the next start or the end of the job removes it.
    await Promise.allSettled(batch.flatMap(({ result }) => (result.kind === 'fetched' ? [result.release()] : [])))
  }

  function follow(): void {
    while (distances.hasPending) onCommitted(store.transaction(() => count(distances.step())))
  }

  return {
    get waitingBytes() {
      return waitingBytes
    },
    commit: (result) =>
      new Promise((resolve, reject) => {
        waiting.push({ result, resolve, reject })
        waitingBytes += bytesOf(result)
        running ??= run()
      }),
    follow,
    async close() {
      await running
      await output.close()
    },
  }
}

interface BatchParts {
  count: (changes: readonly Changed[]) => Changed
  settle: WriteResult
  distances: Distances
}

/** Returns the function that writes one batch of results. After a fault, output, frontier and counters return to their state before
 *  the batch; then it rejects with the first fault. */
function batchWriter(setting: CommitterSetting, { count, settle, distances }: BatchParts) {
  const { store, frontier, output, live } = setting
  const { noteClock } = clockStatements(store)
  const transaction = mostlyUnsynced(setting)
  return async (results: readonly Result[]): Promise<Changed> => {
    const fetched = results.filter((result) => result.kind === 'fetched')
    const records = fetched.reduce((total, result) => total + result.records.count, 0)
    try {
      const kept = await output.keep(fetched.map((result) => result.records))
      const places = new Map<Result, Place | null>(fetched.map((result, at) => [result, kept[at] ?? null]))
      return transaction(() => {
        const settled = frontier.together(() =>
          results.map((result) => {
            const written = settle(result, places.get(result) ?? null)
            setting.onWritten?.(result, written)
            return written
          }),
        )
        output.commit(records)
        setting.alongside?.(results)
        live?.writeCounts()
        noteClock.run({ nowMs: setting.now() })
        return count([...settled, ...distances.step()])
      })
    } catch (error) {
      frontier.forget()
      live?.forget()
      // The first fault is the one to report.
      await output.abandon().catch(() => undefined)
      throw error
    }
  }
}

/** Returns a function that runs a transaction like `store.transaction`. It waits for the disk only if no transaction has done so for
 *  `unsyncedMsMax`, or if the last one that should have failed. */
function mostlyUnsynced({ store, elapsed }: Pick<CommitterSetting, 'store' | 'elapsed'>): Store['transaction'] {
  let syncedMs = -Infinity
  return (act) => {
    if (elapsed() - syncedMs < unsyncedMsMax) return store.unsyncedTransaction(act)
    const done = store.transaction(act)
    syncedMs = elapsed()
    return done
  }
}

/** Returns the function that adds changes to the counters of the job, inside a transaction. */
function counterOf({ store, job }: Pick<CommitterSetting, 'store' | 'job'>): BatchParts['count'] {
  const { count } = frontierStatements(store)
  return (changes) => {
    const counts = sumOf(changes.map((change) => change.counts))
    count.run({ job, ...counts })
    return { counts, hasNews: changes.some(({ hasNews }) => hasNews) }
  }
}
