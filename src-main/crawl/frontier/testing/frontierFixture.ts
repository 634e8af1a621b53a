/** Fixture for tests of this folder: a job with its frontier in a database in memory, on a seeded world. */
import { harvestDefinition } from '../../../contract/services/definition.ts'
import { jobStates } from '../../../contract/states/jobStates.ts'
import { limitsBy } from '../../../contract/shapes/throttle.ts'
import { mover } from '../../../storage/guard.ts'
import { openStore, type Store } from '../../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../../world/testing/seeded.ts'
import { openFrontier, type Frontier } from '../frontier.ts'
import type { Candidate } from '../candidate.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { openJobs } from '../../jobs/jobs.ts'
import { hostBins } from '../bins.ts'
import { placingIn } from '../placing.ts'
import { queueStatements } from '../queue.sql.ts'
import type { JobSlot } from '../servers.ts'

/** A job with its frontier. */
export interface FrontierFixture {
  world: SeededWorld
  store: Store
  job: number
  frontier: Frontier
  /** Claims the front of the queue, in order; the returned documents are ACTIVE. */
  claim(turn?: { limit?: number; nowMs?: number }): DocumentToFetch[]
  /** Returns the row of a URL. */
  row(url: string): DocumentState | undefined
}

/** The row of a document. */
export interface DocumentState {
  id: number
  state: string
  outcome: string | null
  reason: string | null
  attempts: number
  hops: number
  priority: number | null
}

/** Creates a job with an empty frontier. */
export function frontierFixture({ robots = 'ignore' }: { robots?: 'obey' | 'ignore' } = {}): FrontierFixture {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  const job = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  const one = store.statement<{ url: string }, DocumentState>(
    'SELECT id, state, outcome, reason, attempts, hops, priority FROM document WHERE url = @url',
  )
  const claim = claimsOf(store, job)
  return { world, store, job, frontier: openFrontier(store, job, robots), row: (url) => one.get({ url }), claim }
}

/** Starts the job as the startup loop does, since only documents of running jobs are handed out; returns the `claim` function. */
export function claimsOf(store: Store, job: number): FrontierFixture['claim'] {
  const move = mover(store, jobStates, { table: 'job' })
  move(job, 'startupTaken')
  move(job, 'seeded')
  const sql = queueStatements(store)
  const placing = placingIn(store)
  const slot = slotFixture(job)
  return ({ limit = 100, nowMs = Number.MAX_SAFE_INTEGER } = {}) => {
    placing.placeNeedy(slot, nowMs)
    const front = sql.front.all({ jobPriority: 5, nowMs, limit }).filter((row) => row.job === job)
    const ids = front.map(({ id }) => id)
    const claimed = sql.claim.all({ ids: JSON.stringify(ids) })
    return claimed.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  }
}

/** Returns a running job as the queue sees it: without delay, one connection per host. */
export function slotFixture(job: number, more: Partial<JobSlot> = {}): JobSlot {
  return {
    ...{ job, priority: 5, workers: 8, connectionsPerHost: 1, delayMs: 0, delayFactor: 0, delayMsMax: 30_000 },
    ...{ robots: 'ignore', robotsToken: 'loupe', askedUntilMs: -Infinity },
    limitsOf: limitsBy([]),
    binsOf: hostBins,
    mayStart: () => true,
    forgetKnown: () => undefined,
    hostStatus: () => 'go',
    ...more,
  }
}

/** Returns a page one hop from a seed. */
export function page(url: string, more: Partial<Candidate> = {}): Candidate {
  return { url, role: 'page', hopPath: 'L', hops: 1, via: null, ...more }
}
