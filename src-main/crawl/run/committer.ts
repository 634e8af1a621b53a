/** Commits results, many at a time: the output writes the records (the archive output: to the WARC file, synced), then one
 *  transaction settles the documents, adds their outlinks and makes the records count. Results that arrive during a commit
 *  share the next one, so its fsync is paid once for all of them. One committer belongs to one running job, and nothing else
 *  writes to its output. */
import type { Recheck } from '../../contract/shapes/recrawl.ts'
import type { Store } from '../../storage/storage.ts'
import { inheritanceOf } from '../settle/carried/inheritance.ts'
import type { Output, Place } from '../capture/connectors/connector.ts'
import { versionsOf } from '../capture/connectors/versions.ts'
import { sumOf, type Changed, type Counts, type Frontier } from '../frontier/frontier.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { historyWriter } from '../history/activities.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { followStep as nextStep } from '../settle/hops/following.ts'
import type { Range } from '../settle/hops/range.ts'
import type { LiveRun } from '../live/liveRun.ts'
import type { Result } from '../settle/result.ts'
import { settlingOf } from '../settle/settling.ts'

/** The committer of one running job. */
export interface Committer {
  /** Resolves when the result is durable. Rejects with `DiskFault` or `StorageFault` if nothing of it was stored, or if its
   *  consequences for other documents could not be stored. */
  commit(result: Result): Promise<void>
  /** Completes changes of distances that a kill interrupted. Called before the first turn. */
  follow(): void
  /** Bytes of answers that wait for their commit. */
  readonly waitingBytes: number
  close(): Promise<void>
}

interface Waiting {
  result: Result
  resolve(): void
  reject(error: unknown): void
}

/** Parameters of a committer. */
export interface CommitterSetting {
  store: Store
  job: number
  frontier: Frontier
  output: Output
  recheck: Recheck
  /** Present if the definition limits hops. */
  range?: Range | undefined
  now: () => number
  /** Called within the transaction with the result of each document; keeps the counts of its host. */
  live?: Pick<LiveRun, 'note' | 'noteDown' | 'forget'> | undefined
  /** Called within the transaction of every commit, to store data together with the results. */
  alongside?: (results: readonly Result[]) => void
  onCommitted: (committed: Changed) => void
}

/** Opens the committer of a job. */
export function committerOf(setting: CommitterSetting): Committer {
  const { store, job, frontier, output, range } = setting
  const inheritance = inheritanceOf(store, job)
  const versions = versionsOf(store, job)
  const sql = frontierStatements(store)
  const jobs = jobStatements(store)
  const settling = settlingOf(setting)
  const addToHistory = historyWriter(store)
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined
  /** True if some documents do not reflect their distance yet. */
  let hasPendingFollow = range !== undefined

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        // Reduced before the callers resume: they check at once whether there is room for more.
        const committed = await write(batch.map(({ result }) => inRange(result))).finally(() => {
          waitingBytes -= batch.reduce((total, { result }) => total + bytesOf(result), 0)
        })
        setting.onCommitted(committed)
        follow()
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      // A body that cannot be removed does not invalidate the commit; the next start or the end of the job removes it.
      await Promise.allSettled(batch.flatMap(({ result }) => (result.kind === 'fetched' ? [result.release()] : [])))
    }
    running = undefined
  }

  async function write(results: Result[]): Promise<Changed> {
    const fetched = results.filter((result) => result.kind === 'fetched')
    const records = fetched.reduce((total, result) => total + result.records.count, 0)
    try {
      const kept = await output.keep(fetched.map((result) => result.records))
      const places = new Map<Result, Place | null>(fetched.map((result, at) => [result, kept[at] ?? null]))
      return store.transaction(() => {
        const settled = frontier.together(() => results.map((result) => settle(result, places.get(result) ?? null)))
        output.commit(records)
        setting.alongside?.(results)
        setting.live?.noteDown()
        jobs.noteClock.run({ nowMs: setting.now() })
        return counted([...settled, ...followStep()])
      })
    } catch (error) {
      frontier.forget()
      setting.live?.forget()
      // The first fault is the one to report.
      await output.abandon().catch(() => undefined)
      throw error
    }
  }

  /** Excludes a result whose document has become too far from the seeds since it was claimed. */
  function inRange(result: Result): Result {
    const detail = range?.beyond(result.document)
    if (detail === undefined) return result
    const { document, host, robots, attempts } = result
    const subject = { document, host, ...(robots ? { robots } : {}), ...(attempts ? { attempts } : {}) }
    return { ...subject, kind: 'ended', outcome: 'excluded', reason: 'tooManyHops', detail, durationMs: null }
  }

  /** Follows changed distances at once, before another turn begins: what is harvested must not depend on the order of the
   *  answers. */
  function follow(): void {
    while (hasPendingFollow) setting.onCommitted(store.transaction(() => counted(followStep())))
  }

  function followStep(): Changed[] {
    if (!range) return []
    const { changes, isDone } = nextStep(range, frontier, setting.now())
    hasPendingFollow = !isDone
    return changes
  }

  function counted(changes: Changed[]): Changed {
    const counts = sumOf(changes.map(({ counts }) => counts))
    sql.count.run({ job, ...counts })
    return { counts, hasNews: changes.some(({ hasNews }) => hasNews) }
  }

  function settle(result: Result, place: Place | null): Changed {
    for (const attempt of result.attempts ?? []) addToHistory({ ...attempt, job })
    if (result.robots) sql.setRobots.run({ host: result.host, state: result.robots.state, text: result.robots.text })
    if (result.kind === 'postponed') return { counts: settling.postponed(result), hasNews: false }
    if (result.kind === 'ended') return { counts: noted(result, ended(result)), hasNews: false }
    if (result.kind === 'unchanged') return sparedOne(result)
    const counts = [noted(result, settling.fetched(result, place))]
    const { links, carried } = result
    if (result.truncated === null) versions.taken(result.document.id, result.capturedVersion ?? null)
    else versions.takenInPart(result.document.id)
    const judged = range && links && range.read(result.document, links, result.candidates)
    if (judged) counts.push(judged.counts)
    const discovered = frontier.discover(judged?.candidates ?? result.candidates, setting.now())
    counts.push(discovered.counts)
    if (links) versions.listed(links)
    if (!carried) return { counts: sumOf(counts), hasNews: discovered.hasNews }
    const again = inheritance.replace(result.document.url, carried, setting.now())
    return { counts: sumOf(counts), hasNews: discovered.hasNews || again.length > 0 }
  }

  function sparedOne(result: Extract<Result, { kind: 'unchanged' }>): Changed {
    const discovered = frontier.discover(result.candidates, setting.now())
    return {
      counts: sumOf([noted(result, settling.settleUnchanged(result)), discovered.counts]),
      hasNews: discovered.hasNews,
    }
  }

  function noted({ host, document }: Result, counts: Counts): Counts {
    setting.live?.note(host, document.url, counts)
    return counts
  }

  function ended(result: Extract<Result, { kind: 'ended' }>): Counts {
    const isTooFar = range && result.reason === 'tooManyHops'
    return isTooFar ? range.remove(result.document.id, result.detail) : settling.ended(result)
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

function bytesOf(result: Result): number {
  return result.kind === 'fetched' ? result.bytes : 0
}
