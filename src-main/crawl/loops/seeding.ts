/** The seeding loop: re-queues the seeds of a running continuous job at intervals (`reseed_ms`). New seeds are added, known
 *  ones become due as the job's recheck settings require; documents that are already queued are not moved forward. Seeds that
 *  a user adds to a running job of any kind are queued at once: only the new ones, and once. Without an interval only the
 *  start of a run seeds, whereas ManifoldCF then seeds at every pass.
 *
 *  During a seeding the job is in a SEEDING state and may be paused, stopped or leave its window; each of these keeps that
 *  part of the state until the seeding has ended. */
import { message } from '../../contract/words/message.ts'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import { statesBefore, statesIn, type JobState } from '../../contract/states/jobStates.ts'
import { recheckOnce } from '../../contract/shapes/recheck.ts'
import { repositoryOf } from '../capture/connectors/registry.ts'
import { openFrontier } from '../frontier/frontier.ts'
import type { Candidate } from '../frontier/candidate.ts'
import { openRange } from '../settle/hops/range.ts'
import { markSeeds, settleSeeds } from '../settle/seeds.ts'
import type { Engine, Loop } from './engine.ts'
import { seedsAtOnceMax } from './startup.ts'

const checkEveryMs = 60_000

const working = statesIn('working')
const begins = statesBefore('seedingBegan')
const seeding = statesBefore('seedingEnded')

/** The parts of the engine that seeding uses. */
export type SeedingEngine = Pick<
  Engine,
  'store' | 'world' | 'sql' | 'queue' | 'jobWork' | 'move' | 'log' | 'definitionOf' | 'onChanged'
> & { turns: Pick<Engine['turns'], 'displaceLater'> }

export function seedingLoop(engine: SeedingEngine): Loop {
  let checkedMs = -Infinity
  return {
    name: 'seeding',
    pass(running) {
      const isLook = engine.world.clock.elapsed() >= checkedMs + checkEveryMs
      if (isLook) checkedMs = engine.world.clock.elapsed()
      for (const { id: job, state } of running) {
        if (!begins.includes(state) || engine.jobWork.isBusy(job, 'seeding')) continue
        const why = areSeedsGiven(engine, job) ? 'given' : isLook ? dueBy(engine, job) : undefined
        if (why === undefined) continue
        engine.jobWork.begin(job, { loop: 'seeding', goesOnIn: seeding }, (signal) =>
          reseed(engine, { job, why, signal }),
        )
      }
    },
  }
}

/** Tells whether a user has changed the seeds since they were last queued. */
export function areSeedsGiven({ sql }: Pick<Engine, 'sql'>, job: number): boolean {
  const versions = sql.versions.get({ job })
  return versions !== undefined && versions.definition !== versions.seeded
}

/** Returns the interval of the job if it has passed, else undefined. */
function dueBy(engine: SeedingEngine, job: number): { intervalMs: number } | undefined {
  const intervalMs = intervalMsOf(engine, job)
  return intervalMs !== null && isDue(engine, job, intervalMs) ? { intervalMs } : undefined
}

/** Returns the interval between two seedings; null for a job whose seeds are queued only when it starts. */
function intervalMsOf(engine: SeedingEngine, job: number): number | null {
  const { type, reseedSeconds } = engine.definitionOf(job).recheck ?? recheckOnce
  return type === 'once' || reseedSeconds === null ? null : reseedSeconds * 1000
}

function isDue({ sql, world }: SeedingEngine, job: number, intervalMs: number): boolean {
  const reseedMs = sql.reseedMs.get({ job })?.reseedMs ?? null
  const nowMs = world.clock.now()
  // A time further ahead than the interval was recorded before the clock was set back.
  return reseedMs === null || reseedMs <= nowMs || reseedMs > nowMs + intervalMs
}

interface Reseeding {
  job: number
  why: 'given' | { intervalMs: number }
  signal: AbortSignal
}

async function reseed(engine: SeedingEngine, { job, why, signal }: Reseeding): Promise<void> {
  const { store, sql, world } = engine
  const isBegun = store.transaction(() => {
    if (engine.move(job, 'seedingBegan') === undefined) return false
    // Recorded at once: a seeding that a kill interrupts is not repeated before its time.
    if (why !== 'given') sql.setReseed.run({ job, reseedMs: world.clock.now() + why.intervalMs })
    return true
  })
  if (!isBegun) return
  engine.onChanged(job)
  // The version is read first: a change between the two reads is then seeded once more.
  const definitionVersion = sql.versions.get({ job })?.definition ?? 0
  const given = engine.definitionOf(job)
  const connector = repositoryOf(given)
  const definition = connector.inForce(given)
  const candidates = connector.seeds(definition)
  let added = 0
  for (let from = 0; from < candidates.length; from += seedsAtOnceMax) {
    // Lets others use the database and this thread.
    await world.clock.sleep(0, signal)
    if (signal.aborted) return
    added += addSeeds(
      engine,
      { job, definition, areKnownDue: why !== 'given' },
      candidates.slice(from, from + seedsAtOnceMax),
    )
  }
  const isEnded = store.transaction(() => {
    if (engine.move(job, 'seedingEnded') === undefined) return false
    settleSeeds(store, { job, isPartial: connector.model === 'PARTIAL' })
    sql.seededAgain.run({ job, definitionVersion })
    return true
  })
  // The job was stopped in the meantime: positions in the queue given since then would stay unused.
  if (!working.includes(sql.one.get({ job })?.state as JobState)) engine.turns.displaceLater(job)
  if (isEnded) engine.log(job, 'info', message('jobLog.seeds.queued', { added }))
}

/** Adds seeds; returns how many documents wait as a result. */
function addSeeds(
  { store, queue, world }: SeedingEngine,
  { job, definition, areKnownDue }: { job: number; definition: HarvestDefinition; areKnownDue: boolean },
  candidates: Candidate[],
): number {
  return store.transaction(() => {
    const nowMs = world.clock.now()
    const { counts } = openFrontier(store, job, definition.robots).discover(candidates, nowMs)
    const urls = candidates.map(({ url }) => url)
    const known = markSeeds(store, urls, { job, nowMs, overridesSchedule: false, areKnownDue })
    openRange(store, job, definition)?.addSeeds(urls)
    queue.count.run({ job, ...counts })
    queue.count.run({ job, ...known.counts })
    return counts.total + known.again
  })
}
