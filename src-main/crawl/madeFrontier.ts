/** For the tests of this floor: a job with its frontier in a database in memory, on a seeded world. */
import { harvestDefinition } from '../contract/contract.ts'
import { openStore, type Store } from '../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../world/seeded.ts'
import { openFrontier, type Candidate, type Frontier } from './frontier.ts'
import { openJobs } from './jobs.ts'

export interface MadeFrontier {
  world: SeededWorld
  store: Store
  job: number
  frontier: Frontier
  /** What the table says of a URL. */
  row(url: string): DocumentState | undefined
}

export interface DocumentState {
  id: number
  state: string
  outcome: string | null
  reason: string | null
  attempts: number
  hops: number
}

export function madeFrontier({ robots = 'ignore' }: { robots?: 'obey' | 'ignore' } = {}): MadeFrontier {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  const job = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  const one = store.statement<{ url: string }, DocumentState>(
    'SELECT id, state, outcome, reason, attempts, hops FROM document WHERE url = @url',
  )
  return { world, store, job, frontier: openFrontier(store, job, robots), row: (url) => one.get({ url }) }
}

/** A page one hop from a seed. */
export function page(url: string, more: Partial<Candidate> = {}): Candidate {
  return { url, role: 'page', hopPath: 'L', hops: 1, via: null, ...more }
}
