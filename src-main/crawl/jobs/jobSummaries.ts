/** Summaries of jobs, as lists and events show them: state, progress and findings. */
import { stopReasons, type JobSummary } from '../../contract/services/jobSummary.ts'
import { isUnderWay, phaseOf, statusIn } from '../../contract/states/jobStates.ts'
import type { JobStatus } from '../../contract/states/jobStatuses.ts'
import { jobStates } from '../../contract/states/states.ts'
import { messageFrom, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { connectorsIn } from '../capture/connectors/registry.ts'
import { waitsForConnector } from '../capture/connectors/assessment.ts'
import { openConnectors, type Connectors } from '../capture/connectors/installed.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import { importedFileStatements } from '../import/importedFiles.sql.ts'
import type { JobRow } from '../model/jobs.sql.ts'
import { windowStatus } from '../schedule/schedules.ts'
import { waitsForWindow } from '../schedule/status.ts'
import { keepsFiles } from './jobDefinition.ts'
import { findingCountsOf, type RunEnd } from './jobFindings.ts'
import { progressOf } from './jobNumbers.ts'

/** Describes jobs by their rows. */
export interface JobSummaries {
  summaryOf(row: JobRow): JobSummary
  /** Describes how the run of a job stands or ended. `reason` is the one that its summary shows. */
  endOf(row: JobRow, reason: Message | null): RunEnd
  /** Tells whether the state of the job names work that no process does. */
  isNotRunning(row: JobRow): boolean
}

/** Opens the summaries. `isWorkedOn` is false if no process works on the archive. */
export function jobSummaries(store: Store, clock: Clock, isWorkedOn: boolean): JobSummaries {
  const connectors = openConnectors(store)
  const endOf = runEnds(store)
  const isNotRunning = ({ state }: JobRow) => !isWorkedOn && isUnderWay(state)
  return {
    endOf,
    isNotRunning: isNotRunning,
    summaryOf: (row) => ({
      ...summaryOf(row, { nowMs: clock.now(), connectors, endOf }),
      ...(isNotRunning(row) && { status: statusIn(jobStates.initial) }),
    }),
  }
}

/** Returns a function that describes how the run of a job stands or ended. */
function runEnds(store: Store): JobSummaries['endOf'] {
  const { countImported } = importedFileStatements(store)
  return (row, reason) => {
    const over = isOver(row)
    // The files of an import are counted only if its page says that there are no captures.
    const isWithoutCaptures = row.kind === 'import' && over && row.fetched === 0
    return {
      ...{ kind: row.kind, isOver: over, stopReason: row.stopReason, fetched: row.fetched },
      // Waiting for its time window is not a problem.
      error: waitsForWindow(row.state) ? null : reason,
      isDry: over && row.kind === 'event' && !keepsFiles(store, row),
      files: {
        imported: isWithoutCaptures ? (countImported.get({ job: row.id })?.count ?? 0) : 0,
        areKnown: row.isKnown === 1 && row.errorText === null,
      },
    }
  }
}

/** Data that summaries of all jobs share. */
interface Circumstances {
  nowMs: number
  connectors: Connectors
  endOf: JobSummaries['endOf']
}

function summaryOf(row: JobRow, { nowMs, connectors, endOf }: Circumstances): JobSummary {
  const reason = errorOf(row) ?? lackOf(row, connectors) ?? windowStatus(row, nowMs)
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
      inFiles: { errors: row.errors, warnings: row.warnings, notes: row.notes },
    }),
    bytes: row.bytes,
    isGenerated: row.definitionId !== null,
    seconds: row.runningMs / 1000,
    documentsPerSecond: row.runningMs > 0 ? (row.fetched * 1000) / row.runningMs : 0,
    created: new Date(row.createdMs).toISOString(),
    started: timeOf(row.startedMs),
    ended: timeOf(row.endedMs),
    seeds: JSON.parse(row.seeds) as string[],
  }
}

/** Tells whether the run fetches nothing more: its files are being stored, or the job is at rest. */
export function isOver({ state, endedMs }: Pick<JobRow, 'state' | 'endedMs'>): boolean {
  const phase = phaseOf(state)
  return phase === 'ending' || (phase === 'resting' && endedMs !== null)
}

function errorOf({ errorText }: JobRow): Message | null {
  return messageFrom(errorText)
}

/** Names the connectors that a job in a waiting state lacks; undefined if it lacks none. */
function lackOf(row: JobRow, connectors: Connectors): Message | undefined {
  if (!waitsForConnector(row.state)) return undefined
  return connectors.lackOf(row.id, { connectors: connectorsIn(row) })
}

/** Status of a job as users know it; that of a job at rest depends on the end of its last run. */
function statusOf(row: JobRow): JobStatus {
  if (phaseOf(row.state) !== 'resting') return statusIn(row.state)
  if (row.errorText !== null) return 'Error'
  if (row.endedMs === null) return 'Not yet run'
  if (row.stopReason === 'DOWNLOAD_UNFINISHED') return 'Stopped'
  if (row.fetched === 0 && row.isKnown === 0) return 'Empty'
  if (row.filesRefused + row.filesWithErrors > 0) return 'Done, with errors'
  return row.truncated > 0 ? 'Done, incomplete' : 'Done'
}
