/** SQL statements about schedules and windows. The selected states are derived from the table of job states. */
import { jobStates, type JobEvent, type JobState } from '../../contract/states/jobStates.ts'
import type { Store } from '../../storage/storage.ts'

/** A job with its schedule and window. */
export interface ScheduledRow {
  id: number
  state: JobState
  schedule: string | null
  /** Windows that began up to this time do not count. */
  lastMs: number
  /** Begin of the window that last started the job. */
  windowBeginMs: number | null
  windowEndMs: number | null
  endedMs: number | null
}

/** A job with a schedule that rests or waits. */
export type Waiting = ScheduledRow & { schedule: string }

/** A job as the list of schedules shows it. */
export interface ScheduleListRow extends ScheduledRow {
  harvest: string
  startedMs: number | null
}

const columns = `job.id, job.state, job.schedule, COALESCE(job.last_assessed_ms, job.created_ms) AS lastMs,
  job.window_begin_ms AS windowBeginMs, job.window_end_ms AS windowEndMs, job.ended_ms AS endedMs`
const listColumns = `${columns}, harvest.name AS harvest, job.started_ms AS startedMs`

/** Lists the states in which one of these events is accepted, for SQL. */
function statesWith(...events: JobEvent[]): string {
  const states = jobStates.moves.filter(({ event }) => events.includes(event)).map(({ from }) => `'${from}'`)
  return [...new Set(states)].join(', ')
}

/** Prepares the statements about schedules and the windows of runs. */
export function scheduleStatements(store: Store) {
  return {
    /** Jobs that rest or wait, and have a schedule. Uses job_by_schedule. */
    waiting: store.statement<object, Waiting>(
      `SELECT ${columns} FROM job
       WHERE job.schedule IS NOT NULL AND job.is_described = 1 AND job.state IN (${statesWith('scheduled', 'scheduledMinimal', 'windowBegan')})
       ORDER BY job.id`,
    ),
    /** Jobs whose window is over, or ends farther away than any window can. Uses job_by_window_end. */
    windowOver: store.statement<{ nowMs: number; farMs: number }, { id: number }>(
      `SELECT job.id FROM job
       WHERE job.window_end_ms IS NOT NULL AND (job.window_end_ms < @nowMs OR job.window_end_ms > @farMs)
         AND job.state IN (${statesWith('windowEnded')})
       ORDER BY job.id`,
    ),
    setWindowEnd: store.statement<{ job: number; endMs: number | null }>(
      `UPDATE job SET window_end_ms = @endMs WHERE id = @job`,
    ),
    setWindowBegin: store.statement<{ job: number; beginMs: number }>(
      `UPDATE job SET window_begin_ms = @beginMs WHERE id = @job`,
    ),
    forgetAhead: store.statement<{ job: number; nowMs: number }>(
      `UPDATE job SET last_assessed_ms = @nowMs, window_begin_ms = NULL WHERE id = @job`,
    ),
    setSchedule: store.statement<{ job: number; schedule: string | null; nowMs: number }>(
      `UPDATE job SET schedule = @schedule, last_assessed_ms = MAX(COALESCE(last_assessed_ms, 0), @nowMs) WHERE id = @job`,
    ),
    /** Jobs that can have a schedule: an import runs only once. */
    list: store.statement<object, ScheduleListRow>(
      `SELECT ${listColumns} FROM job JOIN harvest ON harvest.id = job.harvest_id
       WHERE harvest.kind = 'event' ORDER BY job.id DESC`,
    ),
    one: store.statement<{ job: number }, ScheduleListRow & { kind: string }>(
      `SELECT ${listColumns}, harvest.kind FROM job JOIN harvest ON harvest.id = job.harvest_id WHERE job.id = @job`,
    ),
  }
}
