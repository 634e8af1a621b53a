/** Checks what must hold throughout a harvest, each violation as a sentence: at every request, whether the URL may be requested; after every
 *  step, whether the tables are consistent. It has a database connection of its own. */
import { heldDocumentStates } from '../contract/states/documentStates.ts'
import { stateIn } from '../storage/schema/stateIn.ts'
import { phaseOf, type JobState } from '../contract/states/jobStates.ts'
import { documentStates, jobStates } from '../contract/states/states.ts'
import { registeredDomain } from '../formats/links/registeredDomain.ts'
import type { Store } from '../storage/storage.ts'
import type { Clock } from '../world/world.ts'
import type { Change, HarvestOptions } from './plan.ts'
import { runTimesOf } from './runTimes.ts'

/** The checks during one harvest. */
export interface Watch {
  /** Called for each request of a document or of something that belongs to its turn. */
  ask(url: string): void
  /** Called after every step: checks only if something was written since, and returns whether it was. */
  check(): boolean
  /** Called before a change of the queue: documents in progress may still be fetched. */
  changing(): void
  changed(change: Change): void
  /** Called after a suspend that the monotonic clock has counted. */
  suspended(durationMs: number): void
  /** Called when the engine was closed or the power was cut. */
  stopped(): void
  violations(): string[]
  /** The stop reasons of all runs so far. */
  readonly stopReasons: ReadonlySet<string>
}

/** The columns of the job that are watched. */
interface JobRow {
  state: JobState
  run: number
  total: number
  startedMs: number | null
}

/** Time until the loop that ends windows has run and requests in progress have ended. */
const lateMsMax = 20_000

/** Condition for documents that a worker has in hand. */
const held = stateIn(heldDocumentStates, 'document.state')

/** Returns a watch over one job. Its statements are prepared once, because it runs after every step. */
export function watchOver(
  store: Store,
  job: number,
  options: HarvestOptions,
  /** Returns the clock of the current machine. */
  clock: () => Pick<Clock, 'now' | 'elapsed'>,
): Watch {
  const violations = new Set<string>()
  const sql = statementsOver(store)
  const runTimes = runTimesOf(store, job, options)
  /** Pattern → documents in progress when it was added. */
  const rules = new Map<string, Set<string>>()
  /** Domain → number of documents that may be fetched. */
  const bounds = new Map<string, number>()
  /** Generated windows are one minute long. */
  const windows = options.schedule?.records.flatMap(({ minutes }) => (Array.isArray(minutes) ? minutes : [])) ?? []
  let lastInsideMs = -Infinity
  let inProgressBefore = new Set<string>()
  let version: number | undefined
  let before: JobRow | undefined

  const inProgress = () => new Set(sql.inProgress.all({ job }).map(({ url }) => url))
  const fetchedOf = (domain: string) => sql.fetched.all({ job }).filter(({ url }) => domainOf(url) === domain).length

  function lookAtJob(now: JobRow): void {
    const { state, run, total } = now
    if (!jobStates.states.includes(state)) violations.add(`The job is in no state: ${state}.`)
    if (!options.schedule && /WAIT/.test(state)) violations.add(`The job was started by a user and is ${state}.`)
    if (!options.continuous && /SEEDING/.test(state)) violations.add(`The job is seeded once, and is ${state}.`)
    const loses = options.continuous !== undefined || run > 1
    if (!loses && total < (before?.total ?? 0)) violations.add(`${(before?.total ?? 0) - total} documents were lost.`)
  }

  function lookAtDocuments({ state }: JobRow): void {
    const isStill = ['resting', 'waiting'].includes(phaseOf(state))
    for (const { state: of, documents, inPlace } of sql.byState.all({ job })) {
      if (!documentStates.states.includes(of)) violations.add(`${documents} documents are in no state: ${of}.`)
      if (isStill && heldDocumentStates.includes(of)) violations.add(`The job is ${state} and has ${of} documents.`)
      if (inPlace > 0 && (of === 'COMPLETE' || of === 'HOPCOUNTREMOVED'))
        violations.add(`${inPlace} ${of} documents have a place in the queue.`)
    }
  }

  function lookAtBudgets(): void {
    for (const [domain, bound] of bounds) {
      const fetched = fetchedOf(domain)
      if (fetched > bound) violations.add(`${fetched} documents of ${domain} were fetched, and ${bound} may be.`)
    }
  }

  function isInside(): boolean {
    return windows.includes(Math.floor(clock().now() / 60_000) % 60)
  }

  return {
    ask(url) {
      const row = sql.asked.get({ job, url })
      if (!row) return
      const { state, outcome, reason, role } = row
      if (!['working', 'draining'].includes(phaseOf(state)))
        violations.add(`${url} was asked for in a job that is ${state}.`)
      if (outcome === 'excluded') violations.add(`${url} was asked for although it is left out (${reason}).`)
      for (const [pattern, held] of rules)
        // Read independently of the engine. The patterns are those of the simulation.
        if (role !== 'robots' && !held.has(url) && new RegExp(pattern, 'u').test(url))
          violations.add(`${url} was asked for although ${pattern} is rejected.`)
      if (!options.schedule || isInside()) return
      const lateMs = clock().elapsed() - lastInsideMs
      if (lateMs > lateMsMax)
        violations.add(`${url} was asked for ${Math.round(lateMs)} ms after the end of the window.`)
    },
    check() {
      if (options.schedule && isInside()) lastInsideMs = clock().elapsed()
      runTimes.measure(clock().elapsed())
      const newest = sql.version.get({})?.data_version
      if (newest === version) return false
      version = newest
      const now = sql.job.get({ job })
      if (!now) return true
      lookAtJob(now)
      lookAtDocuments(now)
      if (now.startedMs !== null) lookAtBudgets()
      before = now
      return true
    },
    changing() {
      inProgressBefore = inProgress()
    },
    changed(change) {
      if (change.kind === 'reject') rules.set(change.pattern, new Set([...inProgressBefore, ...inProgress()]))
      if (change.kind === 'unreject') rules.delete(change.pattern)
      if (change.kind !== 'budget') return
      const { domain, objects } = change
      if (objects === null) bounds.delete(domain)
      else
        bounds.set(
          domain,
          Math.max(objects, fetchedOf(domain) + [...inProgress()].filter((url) => domainOf(url) === domain).length),
        )
    },
    suspended(durationMs) {
      lastInsideMs += durationMs
      runTimes.suspended(durationMs)
    },
    stopped() {
      for (const held of rules.values()) held.clear()
      runTimes.stopped()
    },
    violations: () => [...violations, ...runTimes.violations()],
    stopReasons: runTimes.stopReasons,
  }
}

function statementsOver(store: Store) {
  return {
    version: store.statement<object, { data_version: number }>('PRAGMA data_version'),
    job: store.statement<{ job: number }, JobRow>(
      `SELECT state, run, documents_total AS total, started_ms AS startedMs FROM job WHERE id = @job`,
    ),
    byState: store.statement<
      { job: number },
      { state: (typeof documentStates.states)[number]; documents: number; inPlace: number }
    >(
      `SELECT state, COUNT(*) AS documents, COUNT(priority) AS inPlace FROM document WHERE job_id = @job GROUP BY state`,
    ),
    asked: store.statement<
      { job: number; url: string },
      { state: JobState; outcome: string | null; reason: string | null; role: string }
    >(
      `SELECT job.state, outcome, reason, role FROM document JOIN job ON job.id = job_id WHERE job_id = @job AND url = @url`,
    ),
    inProgress: store.statement<{ job: number }, { url: string }>(
      `SELECT url FROM document WHERE job_id = @job AND ${held}`,
    ),
    fetched: store.statement<{ job: number }, { url: string }>(
      `SELECT url FROM document WHERE job_id = @job AND outcome = 'fetched'`,
    ),
  }
}

function domainOf(url: string): string {
  return registeredDomain(new URL(url).hostname)
}
