/** The seeding loop: a continuous job takes up its seeds again while it runs, every so often (`reseed_ms`). Seeds that are new
 *  are added, known ones are due again as the job's re-checking has it; nothing that waits is hurried.
 *  How often is null: only the start of a run seeds. (The pull agent of the seed seeds at every look then.)
 *
 *  The job is in a SEEDING state meanwhile and may be paused, stopped or leave its window; each of these keeps that part of its
 *  state until the seeding has ended, whatever else the job does. */
import type { HarvestDefinition } from '../../contract/contract.ts'
import { jobStates, type JobState } from '../../contract/jobStates.ts'
import { recheckOnce } from '../../contract/recrawl.ts'
import { repositoryOf } from '../connectors/registry.ts'
import { openFrontier, type Candidate } from '../frontier.ts'
import { openRange } from '../hops/range.ts'
import { markSeeds, settleSeeds } from '../recrawl/seeds.ts'
import type { Engine, Loop } from './engine.ts'

const lookMs = 60_000
/** Seeds of one transaction: nobody waits longer than for these. */
const seedsAtOnceMax = 500

const begins: readonly JobState[] = statesWith('seedingBegan')
const seeding: readonly JobState[] = statesWith('seedingEnded')

function statesWith(event: 'seedingBegan' | 'seedingEnded'): JobState[] {
  return jobStates.moves.filter((move) => move.event === event).map(({ from }) => from)
}

/** What it needs of the engine. */
export type SeedingEngine = Pick<
  Engine,
  'store' | 'world' | 'sql' | 'queue' | 'tasks' | 'move' | 'say' | 'definitionOf' | 'onChanged'
>

export function seedingLoop(engine: SeedingEngine): Loop {
  return {
    name: 'seeding',
    everyMs: lookMs,
    pass(running) {
      for (const { id: job, state } of running) {
        if (!begins.includes(state) || engine.tasks.isBusy(job, 'seeding')) continue
        const intervalMs = intervalMsOf(engine, job)
        if (intervalMs === null || !isDue(engine, job, intervalMs)) continue
        engine.tasks.begin(job, { loop: 'seeding', goesOnIn: seeding }, (signal) =>
          reseed(engine, { job, intervalMs, signal }),
        )
      }
    },
  }
}

/** Null: this job's seeds are taken up only when it starts. */
function intervalMsOf(engine: SeedingEngine, job: number): number | null {
  const { type, reseedSeconds } = engine.definitionOf(job).recheck ?? recheckOnce
  return type === 'once' || reseedSeconds === null ? null : reseedSeconds * 1000
}

function isDue({ sql, world }: SeedingEngine, job: number, intervalMs: number): boolean {
  const reseedMs = sql.reseedMs.get({ job })?.reseedMs ?? null
  const nowMs = world.clock.now()
  // Farther away than it can be: the clock was put back since.
  return reseedMs === null || reseedMs <= nowMs || reseedMs > nowMs + intervalMs
}

interface Reseeding {
  job: number
  intervalMs: number
  signal: AbortSignal
}

async function reseed(engine: SeedingEngine, { job, intervalMs, signal }: Reseeding): Promise<void> {
  const { store, sql, world } = engine
  const isBegun = store.transaction(() => {
    if (engine.move(job, 'seedingBegan') === undefined) return false
    // At once: a seeding that a kill ends is not begun again before its time.
    sql.setReseed.run({ job, reseedMs: world.clock.now() + intervalMs })
    return true
  })
  if (!isBegun) return
  engine.onChanged(job)
  const given = engine.definitionOf(job)
  const connector = repositoryOf(given)
  const definition = connector.inForce(given)
  const candidates = connector.seeds(definition)
  let added = 0
  for (let from = 0; from < candidates.length; from += seedsAtOnceMax) {
    // Others have their turn with the database, and with this thread.
    await world.clock.sleep(0, signal)
    if (signal.aborted) return
    added += addSeeds(engine, { job, definition }, candidates.slice(from, from + seedsAtOnceMax))
  }
  const isEnded = store.transaction(() => {
    if (engine.move(job, 'seedingEnded') === undefined) return false
    settleSeeds(store, { job, isPartial: connector.model === 'PARTIAL' })
    return true
  })
  if (isEnded) engine.say(job, 'info', `Its seeds were taken up again: ${wordsOf(added)}.`)
}

/** How many documents wait because of it. */
function addSeeds(
  { store, queue, world }: SeedingEngine,
  { job, definition }: { job: number; definition: HarvestDefinition },
  candidates: Candidate[],
): number {
  return store.transaction(() => {
    const nowMs = world.clock.now()
    const { counts } = openFrontier(store, job, definition.robots).discover(candidates, nowMs)
    const urls = candidates.map(({ url }) => url)
    const again = markSeeds(store, urls, { job, nowMs, overridesSchedule: false })
    openRange(store, job, definition)?.addSeeds(urls)
    queue.count.run({ job, ...counts, total: counts.total + again })
    return counts.total + again
  })
}

function wordsOf(added: number): string {
  if (added === 0) return 'nothing is due because of it'
  return added === 1 ? 'one document is due' : `${added} documents are due`
}
