/** The startup loop: READYFORSTARTUP → STARTINGUP → ACTIVE. It prepares the list of the last run and queues the seeds in one
 *  transaction with the last move; an import is read completely before it is ACTIVE. */
import { isWithin, statesAfter, statesBefore } from '../../contract/states/jobStates.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { recheckOnce } from '../../contract/shapes/recheck.ts'
import { outputOf, repositoryOf } from '../capture/connectors/registry.ts'
import { holdConnections } from '../definition/heldDefinition.ts'
import type { Candidate } from '../frontier/candidate.ts'
import { openFrontier } from '../frontier/frontier.ts'
import { forgetHops } from '../settle/hops/forgetHops.ts'
import { hopLimitsOf } from '../model/hopMeasures.ts'
import { openRange } from '../settle/hops/range.ts'
import { importFiles } from '../import/importFiles.ts'
import { metadataFiles } from '../finish/metadataFiles.ts'
import { markSeeds, settleSeeds } from '../settle/seeds.ts'
import { beginRunTime } from '../run/runTime.ts'
import { leaveEarlierRun } from './earlierRun.ts'
import type { Engine, Loop } from './engine.ts'

/** Most seeds per transaction; other writers wait no longer than for these. */
export const seedsAtOnceMax = 500

const takenFrom = statesBefore('startupTaken')
const goesOnIn = statesAfter('startupTaken')

export function startupLoop(engine: Engine): Loop {
  return {
    name: 'startup',
    pass(running) {
      for (const { id: job, state } of running) {
        if (takenFrom.includes(state) && !engine.jobWork.isBusy(job)) {
          engine.jobWork.begin(job, { loop: 'startup', goesOnIn: [...takenFrom, ...goesOnIn] }, (signal) =>
            startUp(engine, job, signal),
          )
        }
        // No startup is in progress: requests made during the startup are handled next.
        if (!engine.jobWork.isBusy(job, 'startup')) engine.move(job, 'startupEnded')
      }
    },
  }
}

async function startUp(engine: Engine, job: number, signal: AbortSignal): Promise<void> {
  if (engine.move(job, 'startupTaken') === undefined) return
  holdConnections(engine.store, engine.rowOf(job), engine.world.clock.now())
  await engine.world.disk.makeFolder(engine.folderOf(job))
  // Chosen now, so that no file of an import takes the name.
  if (outputOf(engine.definitionOf(job)).keeps)
    metadataFiles({ ...engine, job }).ofThisRun(engine.settings.metadataCompression)
  if (engine.rowOf(job).kind === 'import') await importInto(engine, job, signal)
  else await seed(engine, job, signal)
}

async function importInto(engine: Engine, job: number, signal: AbortSignal): Promise<void> {
  const { store, sql, world, settings } = engine
  const runTime = beginRunTime({
    ...{ store, world, job, beforeMs: engine.rowOf(job).runningMs },
    onNoted: () => engine.onChanged(job),
  })
  try {
    await importFiles({
      ...engine.fileSetting(job),
      archive: engine.archive,
      freeBytesMin: settings.freeBytesMin,
      incomingFolder: engine.incomingFolder,
      signal,
      log: (level, line) => engine.log(job, level, line),
      onMoved: (files) => engine.onImported(job, files),
    })
  } finally {
    runTime.end()
  }
  if (signal.aborted) return
  store.transaction(() => {
    if (engine.move(job, 'seeded') !== undefined) sql.begin.run({ job, nowMs: world.clock.now() })
  })
}

async function seed(engine: Engine, job: number, signal: AbortSignal): Promise<void> {
  const { store, sql, queue, world } = engine
  const row = engine.rowOf(job)
  const given = engine.definitionOf(job)
  const connector = repositoryOf(given)
  const definition = connector.inForce(given)
  const recheck = definition.recheck ?? recheckOnce
  if (hopLimitsOf(definition) === undefined) await forgetHops({ store, world, signal }, job)
  const waiting = await leaveEarlierRun(engine, { job, isMinimal: isWithin(row.state, 'minimal'), signal })
  const candidates = connector.seeds(definition)
  const urls = candidates.map(({ url }) => url)
  const add = (some: Candidate[]) => {
    const nowMs = world.clock.now()
    const { counts } = openFrontier(store, job, definition.robots).discover(some, nowMs)
    const named = some.map(({ url }) => url)
    const known = markSeeds(store, named, { job, nowMs, overridesSchedule: true, areKnownDue: true })
    queue.count.run({ job, ...counts })
    queue.count.run({ job, ...known.counts })
  }
  const last = await addAllButLast(candidates, { engine, job, signal, add })
  if (last === undefined) return
  const isSeeded = store.transaction(() => {
    // A user may have stopped the job in the meantime.
    if (engine.move(job, 'seeded') === undefined) return false
    add(last)
    const nowMs = world.clock.now()
    settleSeeds(store, { job, isPartial: connector.model === 'PARTIAL' })
    openRange(store, job, definition)?.setSeeds(urls)
    sql.begin.run({ job, nowMs })
    const { reseedSeconds } = recheck
    const reseedMs = recheck.type === 'once' || reseedSeconds === null ? null : nowMs + reseedSeconds * 1000
    sql.seeded.run({ job, version: String(nowMs), reseedMs, definitionVersion: row.definitionVersion })
    return true
  })
  if (isSeeded) engine.log(job, 'info', startMessage({ seeds: urls.length, run: row.run, known: waiting }))
}

interface SeedBatches {
  engine: Pick<Engine, 'store' | 'world' | 'move' | 'rowOf' | 'turns'>
  job: number
  signal: AbortSignal
  add(candidates: Candidate[]): void
}

/** Adds seeds in short transactions, so that others can use the database meanwhile; a kill between two of them does no harm.
 *  Returns those that are left for the transaction that makes the job active; undefined if the job was stopped. */
async function addAllButLast(
  candidates: Candidate[],
  { engine, job, signal, add }: SeedBatches,
): Promise<Candidate[] | undefined> {
  let from = 0
  for (; candidates.length - from > seedsAtOnceMax; from += seedsAtOnceMax) {
    await engine.world.clock.sleep(0, signal)
    if (signal.aborted || !goesOnIn.includes(engine.rowOf(job).state)) {
      // Positions in the queue that were given since the job was stopped would stay unused.
      engine.turns.displaceLater(job)
      return undefined
    }
    engine.store.transaction(() => add(candidates.slice(from, from + seedsAtOnceMax)))
  }
  return candidates.slice(from)
}

function startMessage({ seeds, run, known }: { seeds: number; run: number; known: number }): Message {
  return run === 1 ? message('jobLog.started', { seeds }) : message('jobLog.started.run', { seeds, run, known })
}
