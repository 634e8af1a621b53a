/** Writes results down, many at a time: the output keeps the records (the archive's: in the WARC file, synced), then one
 *  transaction settles the documents, adds what they link to and makes the records count. Whoever comes while a commit runs shares the next one,
 *  so the fsync is paid once for all of them. One committer belongs to one running job.
 *  A delivery plan and an ordered window will stand in front of `commit`; nothing else gives anything to the output. */
import type { Reason } from '../contract/outcomes.ts'
import type { Recheck } from '../contract/recrawl.ts'
import type { Store } from '../storage/storage.ts'
import { noCounts, type Candidate, type Counts, type Frontier } from './frontier.ts'
import { frontierStatements, type DocumentToFetch, type HostRow } from './frontier.sql.ts'
import type { Output, Place } from './connectors/connector.ts'
import { historyWriter } from './history/activities.ts'
import type { Attempt } from './history/attempts.ts'
import type { CaptureRecords } from './records.ts'
import type { Failing } from './recrawl/interruption.ts'
import { settlingOf } from './recrawl/settling.ts'
import type { Validators } from './recrawl/version.ts'

export type Result = {
  document: DocumentToFetch
  host: number
  robots?: { state: HostRow['robotsState']; text: string | null }
  /** The requests that led to it, for the history. */
  attempts?: readonly Attempt[]
} & (
  | {
      kind: 'fetched'
      records: CaptureRecords
      /** Null where nobody spoke HTTP. */
      status: number | null
      mediaType: string | null
      bytes: number
      fetchedMs: number
      durationMs: number
      detail: string | null
      /** What the server called it; absent where nobody spoke HTTP. */
      validators?: Validators
      candidates: Candidate[]
      release(): Promise<void>
    }
  | { kind: 'ended'; outcome: 'failed' | 'excluded'; reason: Reason; detail: string; durationMs: number | null }
  | { kind: 'postponed'; dueMs: number; attempted: boolean; failing?: Failing }
)

export interface Committed {
  counts: Counts
  hosts: HostRow[]
}

export interface Committer {
  /** Resolves when the result is durable. Rejects with `DiskFault` or `StorageFault` when nothing of it was kept. */
  commit(result: Result): Promise<void>
  /** Bytes of answers that are not yet written down. */
  readonly waitingBytes: number
  close(): Promise<void>
}

interface Waiting {
  result: Result
  resolve(): void
  reject(error: unknown): void
}

export interface CommitterSetting {
  store: Store
  job: number
  frontier: Frontier
  output: Output
  recheck: Recheck
  now: () => number
  /** Within the transaction of every commit: what becomes durable together with the results. */
  alongside?: () => void
  onCommitted: (committed: Committed) => void
}

export function committerOf(setting: CommitterSetting): Committer {
  const { store, job, frontier, output } = setting
  const sql = frontierStatements(store)
  const settling = settlingOf(setting)
  const addToHistory = historyWriter(store)
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        // Before anybody is told: whoever is woken asks at once whether there is room again.
        const committed = await write(batch.map(({ result }) => result)).finally(() => {
          waitingBytes -= batch.reduce((total, { result }) => total + bytesOf(result), 0)
        })
        setting.onCommitted(committed)
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      // A body that cannot be removed is no fault of what is committed; the next start or the end of the job removes it.
      await Promise.allSettled(batch.flatMap(({ result }) => (result.kind === 'fetched' ? [result.release()] : [])))
    }
    running = undefined
  }

  async function write(results: Result[]): Promise<Committed> {
    const fetched = results.filter((result) => result.kind === 'fetched')
    const records = fetched.reduce((total, result) => total + result.records.count, 0)
    try {
      const kept = await output.keep(fetched.map((result) => result.records))
      const places = new Map<Result, Place | null>(fetched.map((result, at) => [result, kept[at] ?? null]))
      return store.transaction(() => {
        const settled = results.map((result) => settle(result, places.get(result) ?? null))
        output.commit(records)
        const counts = sum(settled.map(({ counts }) => counts))
        sql.count.run({ job, ...counts })
        setting.alongside?.()
        return { counts, hosts: settled.flatMap(({ hosts }) => hosts) }
      })
    } catch (error) {
      frontier.forget()
      // What the disk said first is what happened.
      await output.abandon().catch(() => undefined)
      throw error
    }
  }

  function settle(result: Result, place: Place | null): Committed {
    for (const attempt of result.attempts ?? []) addToHistory({ ...attempt, job })
    if (result.robots) sql.setRobots.run({ host: result.host, state: result.robots.state, text: result.robots.text })
    if (result.kind === 'postponed') return { counts: settling.postponed(result), hosts: [] }
    if (result.kind === 'ended') return { counts: settling.ended(result), hosts: [] }
    const counts = settling.fetched(result, place)
    const discovered = frontier.discover(result.candidates, setting.now())
    return { counts: sum([discovered.counts, counts]), hosts: discovered.hosts }
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
    async close() {
      await running
      await output.close()
    },
  }
}

function bytesOf(result: Result): number {
  return result.kind === 'fetched' ? result.bytes : 0
}

function sum(all: Counts[]): Counts {
  const total = { ...noCounts }
  for (const counts of all) {
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name]
  }
  return total
}
