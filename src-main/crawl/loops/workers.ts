/** The workers loop: fetches documents for every job while it is ACTIVE. It changes the state of a job only through the
 *  finisher and through errors. */
import { dirname } from 'node:path'
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import { statesIn } from '../../contract/states/jobStates.ts'
import { connectionsNamed, withThrottlesOf } from '../connections/namedConnections.ts'
import { holdConnections } from '../definition/heldDefinition.ts'
import { definitionsSinceDescribed } from '../definition/storedDefinition.ts'
import { hasOpenFile } from '../capture/records/jobFiles.ts'
import { openHarvestFile } from '../capture/records/harvestFile.ts'
import { outputOf } from '../capture/connectors/registry.ts'
import { keptOpen } from '../capture/originals/keptOpen.ts'
import { jobOriginals } from '../dedup/jobOriginals.ts'
import type { LogLevel } from '../model/jobLog.ts'
import { isModuleName, type ChosenModule } from '../../modules/userModule.ts'
import { blockerOf } from '../model/blocker.ts'
import { runJob } from '../run/jobRun.ts'
import type { JobRow } from '../model/jobs.sql.ts'
import { liveStatements } from '../live/live.sql.ts'
import { beginRunTime } from '../run/runTime.ts'
import type { Engine, Loop } from './engine.ts'
import { finishJob } from './finisher.ts'
import { lackOfSpace } from '../model/space.ts'
import { block } from './space.ts'
import { unusablePatterns } from './unusablePatterns.ts'

const working = statesIn('working')

export function workersLoop(engine: Engine): Loop {
  return {
    name: 'workers',
    pass(running) {
      for (const { id: job, state } of running) {
        if (!working.includes(state) || engine.jobWork.isBusy(job, 'workers')) continue
        engine.jobWork.begin(job, { loop: 'workers', goesOnIn: working }, (signal) => work(engine, job, signal))
      }
    },
  }
}

async function work(engine: Engine, job: number, signal: AbortSignal): Promise<void> {
  const { sql, settings } = engine
  // Another loop may have moved the job in this round: if its connectors are missing, for example, no document is handed out.
  if (!working.includes(engine.rowOf(job).state)) return
  // Free space is checked before the first fetch, however short the job is.
  const lacking = await lackOfSpace(engine)
  if (lacking !== undefined) return block(engine, job, lacking)
  const row = engine.rowOf(job)
  holdConnections(engine.store, row, engine.world.clock.now())
  const definition = engine.definitionOf(job)
  const connections = connectionsNamed(engine.store, definition)
  const limited = withThrottlesOf(definition, connections.repository)
  const unusable = unusablePatterns(limited, liveStatements(engine.store).rules.all({ job }))
  if (unusable !== undefined) return block(engine, job, { message: unusable, code: 'refused' })
  const log = (level: LogLevel, line: Message) => engine.log(job, level, line)
  const archive = keptOpen(engine.archive)
  const originals = await jobOriginals(
    { ...engine, archive, log, indexModule: indexModuleOf(engine) },
    // Only answers that are kept can be revisits.
    { job, definition, isKept: outputOf(definition).keeps },
    signal,
  )
  // Recorded before the first request, so that after a kill the next segment knows that hosts may have been contacted.
  sql.beginSegment.run({ job })
  const runTime = beginRunTime({
    ...{ store: engine.store, world: engine.world, job, beforeMs: row.runningMs },
    onNoted: () => engine.onChanged(job),
  })
  const leaveBodies = engine.bodies.join()
  try {
    await closeOutdatedFile(engine, row)
    const end = await runJob({
      ...engine.fileSetting(job),
      archive,
      archiveFolders: archiveFolders(engine),
      ...{ definition, connections, shared: engine.shared },
      settings,
      credentials: engine.credentials,
      originals,
      memory: engine.memory,
      bodies: engine.bodies,
      queue: engine.turns,
      priority: row.priority,
      before: { fetched: row.fetched, bytes: row.bytes },
      runTime,
      isContinued: row.run > 1 || row.segments > 0,
      signal,
      isOutdated: () => sql.versions.get({ job })?.definition !== row.definitionVersion,
      onProgress: () => engine.onChanged(job),
      giveUp: (why) => giveUp(engine, job, why),
      log,
    })
    if (end !== 'stopped' && end !== 'renewed') finishJob(engine, job, end)
    // Documents of a job that is not worked on hold no positions in the queue. When the engine closes, the job keeps them and
    // continues at the next start.
    else if (!engine.signal.aborted) await engine.turns.displace(job, engine.signal)
  } catch (error) {
    const blocker = blockerOf(error)
    if (!blocker) throw error
    // The disk has a problem now: the priority setter removes the documents from the queue as soon as it can.
    engine.turns.displaceLater(job)
    block(engine, job, { ...blocker, message: message('job.blocked.keeps', { problem: blocker.message }) })
  } finally {
    runTime.end()
    leaveBodies()
    await originals.close()
    await archive.close()
  }
}

/** The module of the user that finds captures, if the settings name one. */
function indexModuleOf(engine: Engine): ChosenModule | undefined {
  const { deduplicationIndex: path, deduplicationIndexSettings: settings } = engine.settings
  return isModuleName(path) ? { path, settings, archiveFolders: archiveFolders(engine) } : undefined
}

/** Folders that may hold content from the Web: the archive, whose folder is above that of the jobs, and its replicas. */
function archiveFolders({ folder, archive }: Engine): string[] {
  return [dirname(folder), ...archive.places.map((place) => place.folder)]
}

/** Closes the open file if the definition has changed since it was opened. The first record of a file states how its content
 *  was harvested. A segment closes its file when it ends, but a kill does not. */
async function closeOutdatedFile(engine: Engine, { id: job }: JobRow): Promise<void> {
  if (!hasOpenFile(engine.store, job)) return
  if (definitionsSinceDescribed(engine.store, job).length < 2) return
  await (await openHarvestFile(engine.fileSetting(job))).close()
}

function giveUp(engine: Engine, job: number, why: Message): void {
  const isGivenUp = engine.store.transaction(() => {
    if (engine.move(job, 'failed') === undefined) return false
    engine.sql.setFailure.run({ job, text: storedMessage(why) })
    return true
  })
  if (!isGivenUp) return
  engine.log(job, 'error', why)
  engine.alarm.ring()
}
