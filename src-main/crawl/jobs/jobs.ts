/** Jobs as shown to users, and the actions users request on them. Answers at once from the database; the loops that do the
 *  work (`supervisor`) run in another thread and learn of a request from the state it left. */
import { Fault } from '../../contract/calls/faults.ts'
import type { LogLine, ProgressSample } from '../../contract/services/jobs.ts'
import type { JobSummary } from '../../contract/services/jobSummary.ts'
import type { JobState } from '../../contract/states/jobStates.ts'
import type { JobStatus } from '../../contract/states/jobStatuses.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { CapturedElsewhere } from '../model/jobDocuments.sql.ts'
import { jobLogOf } from '../model/jobLog.ts'
import { jobStatements, type JobRow } from '../model/jobs.sql.ts'
import { progressStatements, type ProgressSample as StoredSample } from '../model/progress.sql.ts'
import { fatesIn, type Fates } from './fates.ts'
import { jobActions, type Acted, type JobAction } from './jobActions.ts'
import { capturesElsewhere, documentPages, type DocumentPage, type DocumentQuery } from './jobDocuments.ts'
import { jobMoves } from './jobMoves.ts'
import { jobPages, type JobDetail } from './jobPage.ts'
import { jobSummaries } from './jobSummaries.ts'
import { newJobsIn, type NewJobs } from './newJobs.ts'
import { whyMissingIn } from './whyMissing.ts'

/** The jobs of an archive. */
export interface Jobs extends NewJobs, Fates {
  /** Lists all jobs, newest first, or those with one of these states or statuses. */
  list(names?: readonly (JobState | JobStatus)[]): JobSummary[]
  /** Summary of a job. Throws `Fault` notFound if it does not exist, as do `show`, `documents` and `act`. */
  summary(job: number): JobSummary
  /** Summary of a job; undefined if it was deleted in the meantime. */
  known(job: number): JobSummary | undefined
  show(job: number): JobDetail
  documents(query: DocumentQuery): DocumentPage
  /** Samples of the progress of the current or last run, oldest first. */
  progress(job: number): ProgressSample[]
  /** Lines of the log of a job with an id above `after`, oldest first. */
  log(job: number, after: number, limit: number): LogLine[]
  /** The last lines of the logs of all jobs, newest first. */
  latestLog(limit: number): (LogLine & { job: number })[]
  /** Performs a user's action. Throws `Fault` refused if the state of the job does not allow it. */
  act(job: number, action: JobAction): Acted
  /** Explains why a job has no capture of a URL that a page view missed; undefined if the job never found the URL. */
  whyMissing(job: number, url: string): Message | undefined
  exists(job: number): boolean
  /** Deleted jobs, newest first. */
  deleted(): { job: number; name: string; deletedMs: number }[]
  /** Ended jobs whose files are the only thing that the database knows about them, newest first: only an index lists their captures. */
  imported(): number[]
  /** Captures of a URL in jobs other than `jobs`, newest first. Captures of imported jobs are not included. */
  capturedElsewhere(url: string, jobs: readonly number[]): CapturedElsewhere[]
  running(): number[]
  /** Paths of all imports that have not ended; they must not be removed. */
  importing(): string[]
}

/** Opens the jobs of an archive. `isWorkedOn` is false in a process that only reads an archive on which no other process
 *  works: the work that a job's state names is then not being done. */
export function openJobs(store: Store, world: World, { isWorkedOn = true } = {}): Jobs {
  const sql = jobStatements(store)
  const summaries = jobSummaries(store, world.clock, isWorkedOn)
  const { summaryOf } = summaries
  const move = jobMoves(store, world.clock)
  const pageOf = jobPages(store, world.clock, summaries)
  const documentsOf = documentPages(store)
  const samples = progressStatements(store)

  function rowOf(job: number): JobRow {
    const found = sql.one.get({ job })
    if (!found) throw new Fault('notFound', message('job.absent', { job }))
    return found
  }

  return {
    ...newJobsIn(store, world, move),
    ...fatesIn(store),
    list: (names) => {
      const all = sql.all.all({}).map(summaryOf)
      return names ? all.filter(({ state, status }) => names.includes(state) || names.includes(status)) : all
    },
    known: (job) => {
      const found = sql.one.get({ job })
      return found && summaryOf(found)
    },
    summary: (job) => summaryOf(rowOf(job)),
    show: (job) => pageOf(rowOf(job)),
    documents: (query) => {
      rowOf(query.job)
      return documentsOf(query)
    },
    progress: (job) => samples.ofRun.all({ job: rowOf(job).id }).map(sampleOf),
    log: jobLogOf(store).lines,
    latestLog: jobLogOf(store).latest,
    act: jobActions({ store, world, move, rowOf, summaryOf }),
    whyMissing: whyMissingIn(store),
    exists: (job) => sql.exists.get({ job }) !== undefined,
    deleted: () => sql.deleted.all({}),
    imported: () => sql.imported.all({}).map(({ id }) => id),
    capturedElsewhere: capturesElsewhere(store),
    running: () => sql.running.all({}).map(({ id }) => id),
    importing: () => sql.importing.all({}).map(({ path }) => path),
  }
}

function sampleOf({ atMs, runningMs, queued, fetched, failed, bytes }: StoredSample): ProgressSample {
  return { at: new Date(atMs).toISOString(), seconds: runningMs / 1000, queued, fetched, failed, bytes }
}
