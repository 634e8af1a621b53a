/** Jobs as shown to users, and the actions users request on them. Answers at once from the database; the loops that do the
 *  work (`supervisor`) run in another thread and learn of a request from the state it left. */
import { jobLogOf } from '../model/jobLog.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { harvestDefinition, storedDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import { stopReasons, type JobSummary } from '../../contract/services/jobSummary.ts'
import type { LogLine } from '../../contract/services/jobs.ts'
import type { DocumentRow } from '../../contract/services/documents.ts'
import type { FixedField, JobWhole } from '../../contract/services/jobDetails.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { truncationMessage } from '../../contract/states/outcomes.ts'
import { editIn, isUnderWay, phaseOf, type JobState, abortGoalOf } from '../../contract/states/jobStates.ts'
import { jobStates } from '../../contract/states/states.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { waitsForConnector } from '../capture/connectors/assessment.ts'
import { openConnectors, type Connectors } from '../capture/connectors/installed.ts'
import { outputOf, repositoryOf } from '../capture/connectors/registry.ts'
import { definitionStatements } from '../definition/definition.sql.ts'
import { withSeedAddresses } from '../definition/definitions.ts'
import { ranWith } from '../definition/storedDefinition.ts'
import { fixedFields } from '../definition/parts.ts'
import { movesWithHistory } from '../history/jobActivities.ts'
import {
  documentCountStatements,
  documentListStatements,
  urlStatements,
  type CapturedElsewhere,
  type DocumentListRow,
} from '../model/jobDocuments.sql.ts'
import { jobStatements, newJobStatements, type JobRow } from '../model/jobs.sql.ts'
import { runEndStatements, runStartStatements } from '../model/runs.sql.ts'
import { importedFileStatements } from '../import/importedFiles.sql.ts'
import { doingNow } from '../live/doingNow.ts'
import { hostsOf } from '../live/hostsNow.ts'
import { jobFindings, findingCountsOf, type RunEnd } from './jobFindings.ts'
import { answersOf, earlierRunOf, lastRunOf, progressOf } from './jobNumbers.ts'
import { scheduleStatements } from '../schedule/schedule.sql.ts'
import { scheduleOf, windowWords } from '../schedule/schedules.ts'
import { noEngineText, waitsForWindow } from '../schedule/status.ts'
import { reasonText, whyMissingIn } from './whyMissing.ts'
import { timeOf } from '../history/reportPage.ts'

/** Actions that a user can request. */
export type JobAction =
  | 'start'
  | 'startMinimal'
  | 'pause'
  | 'resume'
  | 'abort'
  | 'restart'
  | 'restartMinimal'
  | 'delete'

/** A job without the part that only the archive knows: its files. */
export type JobDetail = Omit<JobWhole, 'files' | 'fileBytes'>

/** The jobs of an archive. */
export interface Jobs {
  /** Creates a job. Throws `Fault` badInput for a seed that is not an address. The job is ready for startup when this
   *  returns; with a schedule it waits for its first window. */
  create(definition: HarvestDefinition): number
  /** Creates a job that imports files from elsewhere; the originals are not changed. Returns the existing job if an
   *  unfinished import of the same paths exists. */
  createImport(paths: string[]): number
  list(state?: string): JobSummary[]
  summary(job: number): JobSummary
  /** Summary of a job; undefined if it was deleted in the meantime. */
  known(job: number): JobSummary | undefined
  show(job: number): JobDetail
  documents(query: {
    job: number
    outcome?: string | undefined
    text?: string | undefined
    offset: number
    limit: number
  }): { rows: DocumentRow[]; total: number }
  log(job: number, after: number, limit: number): LogLine[]
  /** Performs a user's action. Throws `Fault` refused if the state of the job does not allow it. */
  act(job: number, action: JobAction): { job: number; from: string; to: string }
  /** Explains why a job has no capture of a URL that a page view missed; undefined if the job never found the URL. */
  whyMissing(job: number, url: string): string | undefined
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

/** Most captures in other jobs to offer: a longer list would not be read. */
const elsewhereMax = 10

/** Opens the jobs of an archive. `isWorkedOn` is false in a process that only reads an archive on which no other process
 *  works: the work that a job's state names is then not being done. */
export function openJobs(store: Store, world: World, { isWorkedOn = true } = {}): Jobs {
  const sql = {
    ...jobStatements(store),
    ...newJobStatements(store),
    ...runStartStatements(store),
    ...runEndStatements(store),
    ...documentCountStatements(store),
    ...documentListStatements(store),
    ...urlStatements(store),
  }
  const logs = jobLogOf(store)
  const move = movesWithHistory(store, world.clock, mover(store, jobStates, { table: 'job' }))
  const schedules = scheduleStatements(store)
  const { hold } = definitionStatements(store)
  const connectors = openConnectors(store)
  const isStandingStill = ({ state }: JobRow) => !isWorkedOn && isUnderWay(state)
  const { countImported } = importedFileStatements(store)

  /** Describes how a job ended or stands. Files are counted only for an import without captures. */
  function endOf(row: JobRow, reason: string | null): RunEnd {
    const over = isOver(row)
    const isWithoutCaptures = row.kind === 'import' && over && row.fetched === 0
    return {
      ...{ kind: row.kind, isOver: over, stopReason: row.stopReason, fetched: row.fetched },
      // Waiting for its time window is not a problem.
      error: waitsForWindow(row.state) ? null : reason,
      isDry: over && row.kind === 'event' && !keepsFiles(ranWith(store, row.id) ?? row.definition),
      files: {
        imported: isWithoutCaptures ? (countImported.get({ job: row.id })?.count ?? 0) : 0,
        areKnown: row.isKnown === 1 && row.errorText === null,
      },
    }
  }
  const summaryNow = (row: JobRow): JobSummary => ({
    ...summaryOf(row, { nowMs: world.clock.now(), connectors, endOf }),
    ...(isStandingStill(row) && { status: notRunning }),
  })

  function row(job: number): JobRow {
    const found = sql.one.get({ job })
    if (!found) throw new Fault('notFound', message('job.absent', { job }))
    return found
  }

  function add(
    kind: 'event' | 'import',
    name: string,
    { schedule, ...definition }: HarvestDefinition,
    paths: string[] = [],
  ): number {
    return store.transaction(() => {
      const nowMs = world.clock.now()
      const stored = JSON.stringify(definition)
      const runId = world.chance.uuid()
      const harvest = sql.addHarvest.get({ name, kind, definition: stored, nowMs })
      const job = harvest && sql.addJob.get({ harvest: harvest.id, state: jobStates.initial, nowMs, runId })
      if (!job) throw new Error('a job was not added')
      if (kind === 'event') hold.run({ job: job.id, run: 1, fromMs: null, definition: stored })
      for (const path of paths) sql.addImport.run({ job: job.id, path })
      if (schedule === undefined) move(job.id, 'start')
      else schedules.setSchedule.run({ job: job.id, schedule: JSON.stringify(schedule), nowMs })
      return job.id
    })
  }

  /** Ends the storing of a job's files at the user's request, without waiting for every replica. Called before the state
   *  moves, because the history records why the job ended. */
  function leaveStoring({ id: job, state, definition }: JobRow): void {
    if (jobStates.next(state, 'abort') !== jobStates.initial) return
    const { keeps } = outputOf(storedDefinition.parse(JSON.parse(ranWith(store, job) ?? definition)))
    sql.leaveStoring.run({ job, nowMs: world.clock.now(), text: keeps ? leftText : null })
  }

  /** The definition that the last run used, if it differs from the current one; else null. */
  function earlierOf(row: JobRow): HarvestDefinition | null {
    const definition = row.kind === 'event' ? ranWith(store, row.id) : undefined
    return definition === undefined || definition === row.definition ? null : definitionOf({ ...row, definition })
  }

  /** Finds an unfinished import of exactly these paths: a second request continues it. */
  function unendedImport(paths: readonly string[]): number | undefined {
    const wanted = [...new Set(paths)].toSorted().join('\n')
    return sql.running
      .all({})
      .map(({ id }) => id)
      .find(
        (job) =>
          sql.importsOf
            .all({ job })
            .map(({ path }) => path)
            .toSorted()
            .join('\n') === wanted,
      )
  }

  return {
    create(given) {
      const connector = repositoryOf(given)
      const definition = withSeedAddresses(given)
      return add('event', given.name ?? connector.nameOf(definition.seeds), definition)
    },
    createImport(paths) {
      const begun = unendedImport(paths)
      if (begun !== undefined) return begun
      const name = `Import of ${paths.length === 1 ? basename(paths[0] ?? '') : `${paths.length} files or folders`}`
      return add('import', name, harvestDefinition.parse({ seeds: paths, scope: 'page' }), paths)
    },
    list: (state) =>
      sql.all
        .all({})
        .map(summaryNow)
        .filter(
          (summary) => state === undefined || [summary.state, summary.status].some((name) => sameWord(name, state)),
        ),
    known: (job) => {
      const found = sql.one.get({ job })
      return found && summaryNow(found)
    },
    summary: (job) => summaryNow(row(job)),
    show(job) {
      const found = row(job)
      const nowMs = world.clock.now()
      const summary = summaryNow(found)
      const byStatus = sql.byStatus.all({ job })
      const byReason = sql.byReason.all({ job }).map(({ outcome, reason, documents }) => ({
        outcome: outcome as 'failed' | 'excluded',
        reason,
        text: reasonText(reason),
        documents,
      }))
      const byTruncation = sql.byTruncation
        .all({ job })
        .map((each) => ({ ...each, text: textOf(truncationMessage(each.truncation)) }))
      const lastRun = lastRunOf(found, summary, isOver(found))
      return {
        ...summary,
        doing: isStandingStill(found)
          ? noEngineText
          : doingNow(store, job, { hosts: hostsOf(store, { job, nowMs }), nowMs }),
        definition: definitionOf(found),
        ranWith: earlierOf(found),
        runs: [...(lastRun ? [lastRun] : []), ...sql.earlierRuns.all({ job }).map(earlierRunOf)],
        answers: found.kind === 'import' ? null : answersOf(byStatus, found),
        fixed: fixedIn(found),
        byStatus,
        byMediaType: sql.byMediaType.all({ job }),
        byReason,
        byTruncation,
        hosts: sql.byHost.all({ job }),
        findings: jobFindings(endOf(found, summary.reason), {
          ...{ byReason, byTruncation, filesRefused: found.filesRefused, filesWithErrors: found.filesWithErrors },
        }),
      }
    },
    documents({ job, outcome = null, text = null, offset, limit }) {
      row(job)
      return {
        rows: sql.documents
          .all({ job, outcome, text, offset, limit })
          .map(({ fetchedMs, reason, detail, ...document }) => ({
            ...document,
            outcome: document.outcome as DocumentRow['outcome'],
            code: reason,
            reason: whyOf({ reason, detail, truncated: document.truncated }),
            fetched: timeOf(fetchedMs),
          })),
        total: sql.documentsTotal.get({ job, outcome, text })?.total ?? 0,
      }
    },
    log: (job, after, limit) => logs.lines(job, after, limit),
    act(job, action) {
      const { state: from, kind, endedMs, isDescribed } = row(job)
      // A repeated request has no further effect.
      if (under(from, action)) return { job, from, to: from }
      if (kind === 'import' && isStart(action)) throw new Fault('refused', importedOnce(job))
      if (isDescribed === 0 && (isStart(action) || action === 'delete')) throw new Fault('refused', undescribed(job))
      if (action === 'delete' && (sql.unstored.get({ job })?.count ?? 0) > 0) throw new Fault('refused', unstored(job))
      const to = store.transaction(() => {
        if (action === 'abort') leaveStoring(row(job))
        const moved = move(job, action)
        if (moved === undefined) return undefined
        if (isStart(action) && endedMs !== null) sql.beginRun.run({ job, runId: world.chance.uuid() })
        logs.add({ job, nowMs: world.clock.now(), level: 'info', message: message(`jobLog.asked.${action}`) })
        return moved
      })
      if (to === undefined) throw new Fault('refused', refusalOf(job, action, summaryNow(row(job))))
      return { job, from, to }
    },
    whyMissing: whyMissingIn(store),
    exists: (job) => sql.exists.get({ job }) !== undefined,
    deleted: () => sql.deleted.all({}),
    imported: () => sql.imported.all({}).map(({ id }) => id),
    capturedElsewhere(url, jobs) {
      const identity = canonicalUrl(url)
      if (identity === undefined) return []
      const key = createHash('sha256').update(identity).digest()
      return sql.capturedElsewhere.all({ key, jobs: JSON.stringify(jobs), limit: elsewhereMax })
    },
    running: () => sql.running.all({}).map(({ id }) => id),
    importing: () => sql.importing.all({}).map(({ path }) => path),
  }
}

/** Lists the fields of the definition that cannot be changed now, because a run is in progress. */
function fixedIn({ kind, state, definition }: JobRow): FixedField[] {
  if (kind !== 'event' || editIn(state) !== 'inRun') return []
  return fixedFields(storedDefinition.parse(JSON.parse(definition)))
}

/** Returns the definition with its schedule, which may change during the life of a job and is stored separately. */
function definitionOf({ definition, schedule }: Pick<JobRow, 'definition' | 'schedule'>): HarvestDefinition {
  const stored = storedDefinition.parse(JSON.parse(definition))
  return schedule === null ? stored : { ...stored, schedule: scheduleOf(schedule) }
}

interface Circumstances {
  nowMs: number
  connectors: Connectors
  endOf: (row: JobRow, reason: string | null) => RunEnd
}

function summaryOf(row: JobRow, { nowMs, connectors, endOf }: Circumstances): JobSummary {
  const definition = storedDefinition.parse(JSON.parse(row.definition))
  const reason = row.errorText ?? lackOf(row.state, definition, connectors) ?? windowWords(row, nowMs)
  return {
    job: row.id,
    harvest: row.name,
    kind: row.kind,
    state: row.state,
    status: statusOf(row),
    stopReason: stopReasons.find((reason) => reason === row.stopReason) ?? null,
    reasonCode: row.errorCode,
    reason,
    documents: {
      total: row.total,
      fetched: row.fetched,
      failed: row.failed,
      excluded: row.excluded,
      duplicate: row.duplicate,
      truncated: row.truncated,
    },
    progress: progressOf(row),
    queued: row.queued,
    findingCounts: findingCountsOf(endOf(row, reason), {
      failed: row.failed,
      truncated: row.truncated,
      inFiles: inFilesOf(row),
    }),
    bytes: row.bytes,
    seconds: row.runningMs / 1000,
    documentsPerSecond: row.runningMs > 0 ? (row.fetched * 1000) / row.runningMs : 0,
    created: new Date(row.createdMs).toISOString(),
    started: timeOf(row.startedMs),
    ended: timeOf(row.endedMs),
    seeds: definition.seeds.slice(0, seedsShownMax),
  }
}

function inFilesOf({ errors, warnings, notes }: JobRow): JobSummary['findingCounts'] {
  return { errors, warnings, notes }
}

/** Tells whether the run fetches nothing more: its files are being stored, or the job is at rest. */
function isOver({ state, endedMs }: Pick<JobRow, 'state' | 'endedMs'>): boolean {
  const phase = phaseOf(state)
  return phase === 'ending' || (phase === 'resting' && endedMs !== null)
}

function keepsFiles(definition: string): boolean {
  return outputOf(storedDefinition.parse(JSON.parse(definition))).keeps
}

/** Names the connectors that a job in a waiting state lacks; null if it lacks none. */
function lackOf(state: JobState, definition: HarvestDefinition, connectors: Connectors): string | null {
  return waitsForConnector(state) ? connectors.lackOf(definition).join(' ') || null : null
}

/** Most seeds in a summary. Summaries are sent several times a second; a definition may have 10,000 seeds. */
const seedsShownMax = 20

/** Status of a job as users know it; only a job that is not running needs more than the badge of its state. */
function statusOf(row: JobRow): string {
  return row.state === 'INACTIVE' ? restingStatusOf(row) : textOf(jobStates.rows[row.state].badge)
}

const notRunning = textOf(jobStates.rows.INACTIVE.badge)

export const restingStatuses = [
  'Not yet run',
  'Done',
  'Done, incomplete',
  'Done, with errors',
  'Empty',
  'Stopped',
  'Error',
] as const

function restingStatusOf(row: JobRow): (typeof restingStatuses)[number] {
  if (row.errorText !== null) return 'Error'
  if (row.endedMs === null) return 'Not yet run'
  if (row.stopReason === 'DOWNLOAD_UNFINISHED') return 'Stopped'
  if (row.fetched === 0 && row.isKnown === 0) return 'Empty'
  if (row.filesRefused + row.filesWithErrors > 0) return 'Done, with errors'
  return row.truncated > 0 ? 'Done, incomplete' : 'Done'
}

/** Explains an outcome to the user; null if there is nothing to explain. */
function whyOf({ reason, detail, truncated }: Pick<DocumentListRow, 'reason' | 'detail' | 'truncated'>): string | null {
  const why = reason === null ? truncated && textOf(truncationMessage(truncated)) : reasonText(reason)
  return [why, detail].filter((text) => text !== null && text !== '').join(': ') || null
}

function refusalOf(job: number, action: JobAction, { state, status }: JobSummary): string {
  const able = jobStates.moves
    .filter((move) => move.event === action)
    .map((move) => textOf(jobStates.rows[move.from].badge))
  return `Job ${job} cannot ${verb[action]} because its state is "${status}" (${state}). It can when its state is ${[...new Set(able)].join(', ')}.`
}

const verb: Record<JobAction, string> = {
  start: 'be started',
  startMinimal: 'be started',
  pause: 'be paused',
  resume: 'be resumed',
  abort: 'be stopped',
  restart: 'be restarted',
  restartMinimal: 'be restarted',
  delete: 'be deleted',
}

function isStart(action: JobAction): boolean {
  return action === 'start' || action === 'startMinimal'
}

/** Tells whether the requested action is already in progress: a second stop changes nothing, and a second restart does not
 *  change the first request. */
function under(state: JobState, action: JobAction): boolean {
  if (action === 'abort') return abortGoalOf(state) === 'rest'
  return (action === 'restart' || action === 'restartMinimal') && abortGoalOf(state) === 'restart'
}

const leftText =
  'The job was stopped while its files were being stored. Files that are not in every replica yet wait in the job folder and are stored at the next start of Loupe.'

function undescribed(job: number): string {
  return `Job ${job} was stopped while its files were being stored, and the metadata of that run is still being written. Try again in a moment.`
}

function unstored(job: number): string {
  return `Job ${job} has files that are stored only in its folder and not in every replica yet. Fix the replica, wait until the files are stored, then delete the job.`
}

function importedOnce(job: number): string {
  return `Job ${job} is an import, which runs only once. To add files, start a new import; files that are already archived are not stored twice.`
}

function sameWord(one: string, other: string): boolean {
  const folded = (word: string) => word.toLowerCase().replaceAll(/[ ,]/g, '')
  return folded(one) === folded(other)
}
