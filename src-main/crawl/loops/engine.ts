/** The parts that every loop receives, and the definition of a loop. A loop reads the states of the jobs, performs its own
 *  step and moves the jobs on; it keeps nothing in memory that a start after a kill would need. */
import { message, type Message } from '../../contract/words/message.ts'
import { join } from 'node:path'
import { storedDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import type { JobEvent, JobState } from '../../contract/states/jobStates.ts'
import type { LoopState } from '../../contract/services/monitoring.ts'
import { openJobEnds, type JobEnds } from '../../delivery/jobOutputs.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { alarmOf, type Alarm } from '../model/alarm.ts'
import { definitionIn, definitionText, ranWith } from '../definition/storedDefinition.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { openBodyWork, type BodyWork } from '../capture/bodies/bodyWork.ts'
import type { FileSetting } from '../capture/records/fileSetting.ts'
import { blockerOf, type Blocker } from '../model/blocker.ts'
import { jobLogOf, type LogLevel } from '../model/jobLog.ts'
import { jobMoves } from '../jobs/jobMoves.ts'
import { openJobs, type Jobs } from '../jobs/jobs.ts'
import { clockStatements } from '../model/clock.sql.ts'
import { jobStatements, type JobRow, type RunningJob } from '../model/jobs.sql.ts'
import { runEndStatements, runStartStatements, seedingStatements } from '../model/runs.sql.ts'
import type { CrawlSettings } from '../model/limits.ts'
import type { Credentials } from '../capture/login/credentials.ts'
import { memoryOf, type Memory } from '../model/memory.ts'
import type { SequenceMark } from '../ownership/sequenceMark.ts'
import type { IndexClient } from '../dedup/indexClient.ts'
import { connectionUses } from '../frontier/connectionUse.ts'
import { sharedOutputs } from '../capture/connectors/sharedOutput.ts'
import type { RunSetting } from '../run/runSetting.ts'
import { openQueue, type Queue } from '../frontier/queue.ts'
import { openJobWork, type JobWork } from './jobWork.ts'
import { messageOf } from '../../contract/text/messageOf.ts'

/** Parameters of the engine. */
export interface EngineSetting {
  store: Store
  world: World
  archive: Archive
  /** Path of `<archive>/jobs`. */
  folder: string
  /** Folder of the files that a browser uploaded for import. */
  incomingFolder: string
  /** Path of `<archive>/quarantine`. */
  quarantineFolder: string
  /** Records the latest sequence number outside the database. */
  sequenceMark: SequenceMark
  settings: CrawlSettings
  credentials: Pick<Credentials, 'secretOf'>
  /** Provides deduplication indexes. Absent: documents are compared with captures of their own job only. */
  indexClient?: IndexClient | undefined
  software: string
  /** Aborted when the engine is closed: running jobs stop where they are and continue at the next start. */
  signal: AbortSignal
  onChanged(job: number): void
  /** Called when files of an import made progress. */
  onImported(job: number, files: number[]): void
  /** Called every few seconds with the loops. Absent in tests. */
  onLoops?: (loops: LoopState[]) => void
  /** Called when no job has run for a while. Absent in tests. */
  onRest?: () => void
  /** Called on an error. `job` is the job that cannot continue; null for an error of a loop, which then begins again. */
  onProblem(problem: Blocker & { job: number | null }): void
}

/** A loop of the engine. */
export interface Loop {
  /** Owner of its moves in the state tables. */
  name: string
  /** Pause between two passes; absent: the loop takes part in every round, several times per second. */
  everyMs?: number
  /** Runs one pass; `running` are the jobs that are not INACTIVE. Slow work belongs in a task. */
  pass(running: readonly RunningJob[]): void | Promise<void>
}

/** The parts that a loop receives. */
export interface Engine extends EngineSetting {
  sql: ReturnType<typeof engineStatements>
  queue: ReturnType<typeof frontierStatements>
  memory: Memory
  bodies: BodyWork
  /** The queue over all running jobs. */
  turns: Queue
  /** The uses of named connections by all jobs. */
  shared: RunSetting['shared']
  jobs: Jobs
  /** Tells the outputs of jobs that they have ended. */
  ends: JobEnds
  alarm: Alarm
  jobWork: JobWork
  /** Moves a job. Returns the new state, or undefined if the table refuses the event in the current state of the job. */
  move(job: number, event: JobEvent): JobState | undefined
  /** Adds a line to the job's log, which users read. */
  log(job: number, level: LogLevel, message: Message): void
  /** The jobs that are not INACTIVE. */
  running(): RunningJob[]
  /** Throws for a job that does not exist: a loop knows its jobs from the database. */
  rowOf(job: number): JobRow
  /** The definition as the user last saved it. */
  definitionOf(job: number): HarvestDefinition
  /** The definition of the run that is in progress or ended last. */
  ranWith(job: number): HarvestDefinition
  folderOf(job: number): string
  fileSetting(job: number): FileSetting
}

/** Prepares the statements that the loops share. */
export function engineStatements(store: Store) {
  return {
    ...jobStatements(store),
    ...runStartStatements(store),
    ...runEndStatements(store),
    ...seedingStatements(store),
    ...clockStatements(store),
  }
}

/** Puts the parts together; starts no loop. */
export function openEngine(setting: EngineSetting): Engine {
  const { store, world, settings } = setting
  const sql = engineStatements(store)
  const log = jobLogOf(store)
  const move = jobMoves(store, world.clock)
  const alarm = alarmOf(world)
  const rowOf = (job: number): JobRow => {
    const row = sql.one.get({ job })
    if (!row) throw new Error(`job ${job} has gone`)
    return row
  }
  const folderOf = (job: number) => join(setting.folder, String(job))
  return {
    ...setting,
    sql,
    queue: frontierStatements(store),
    memory: memoryOf(settings.memoryBytesMax),
    bodies: openBodyWork(world),
    shared: { repositories: connectionUses(), outputs: sharedOutputs() },
    turns: openQueue(store, world, () => alarm.ring()),
    jobs: openJobs(store, world),
    ends: openJobEnds(store),
    alarm,
    jobWork: openJobWork({
      world,
      signal: setting.signal,
      onEnded: () => alarm.ring(),
      onFault: (job, error) => setting.onProblem({ ...describeError(error), job }),
      interrupt: (job) => void move(job, 'interrupted'),
    }),
    move,
    log(job, level, message) {
      log.add({ job, nowMs: world.clock.now(), level, message })
      setting.onChanged(job)
    },
    running: () => sql.running.all({}),
    rowOf,
    definitionOf: (job) => definitionIn(store, job),
    ranWith: (job) => storedDefinition.parse(JSON.parse(ranWith(store, job) ?? definitionText(store, job))),
    folderOf,
    fileSetting(job) {
      const { kind, runId, harvest } = rowOf(job)
      return {
        ...{ store, world, job, runId, harvest },
        folder: folderOf(job),
        software: setting.software,
        practice: kind === 'import' ? [] : practiceOf(definitionIn(store, job), settings),
        warcVersion: settings.warcVersion,
        metadataCompression: settings.metadataCompression,
      }
    },
  }
}

/** Returns message and code of an error: those of a disk or database fault, else `internal`. */
export function describeError(error: unknown): Blocker {
  return blockerOf(error) ?? { message: message('text', { text: messageOf(error) }), code: 'internal' }
}

/** Lines for the warcinfo record, named as in WARC 1.1 section 6.2, with the settings in effect where the harvest has none of
 *  its own. */
function practiceOf(definition: HarvestDefinition, settings: CrawlSettings): string[] {
  const { userAgent, robots, delayMs, connectionsPerHost, workers, login } = definition
  return [
    `http-header-user-agent: ${userAgent ?? settings.userAgent}`,
    `robots: ${robots}`,
    `delayMs: ${delayMs ?? settings.delayMs}`,
    `connectionsPerHost: ${connectionsPerHost ?? settings.connectionsPerHost}`,
    `workers: ${workers ?? settings.workers}`,
    // A reader who compares digests must know which bytes they cover.
    ...(settings.payloadDigest === 'asStored'
      ? ['payloadDigest: of bodies as they are stored, with chunk framing']
      : []),
    ...(login?.areas ?? []).map(
      ({ kind, urls, credential }) => `login: ${kind} for ${urls.join(' ')} as ${credential}`,
    ),
    ...(login ? [`loginRecorded: ${login.recorded}`] : []),
  ]
}
