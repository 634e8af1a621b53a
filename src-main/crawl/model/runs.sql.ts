/** SQL statements about the runs of a job: how one begins, is worked on and ends, and which seeds it has read. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { Store } from '../../storage/storage.ts'
import { isAtRest } from './jobs.sql.ts'

/** A run that has ended, of a job that has begun a further one. */
export interface RunRow {
  run: number
  startedMs: number
  endedMs: number | null
  runningMs: number
  stopReason: string | null
  errorText: string | null
  fetched: number
  failed: number
  excluded: number
  truncated: number | null
  bytes: number
}

/** Prepares the statements that begin a run and count its time. */
export function runStartStatements(store: Store) {
  return {
    /** Resets everything that belongs to the previous run. */
    beginRun: store.statement<{ job: number; runId: string }>(
      `UPDATE job SET run = run + 1, run_id = @runId, documents_total = 0, documents_fetched = 0, documents_failed = 0, documents_excluded = 0,
              documents_duplicate = 0, bytes = 0,
              log_before_id = COALESCE((SELECT MAX(id) FROM job_event WHERE job_id = @job), 0), started_ms = NULL, running_ms = 0, segments = 0, stop_reason = NULL, error_text = NULL, error_code = NULL, failure_text = NULL,
              window_end_ms = NULL, fail_ms = NULL, fail_count = NULL WHERE id = @job`,
    ),
    begin: store.statement<{ job: number; nowMs: number }>(
      `UPDATE job SET started_ms = COALESCE(started_ms, @nowMs), ended_ms = NULL, stop_reason = NULL, error_text = NULL, error_code = NULL WHERE id = @job`,
    ),
    setTotal: store.statement<{ job: number; waiting: number; excluded: number }>(
      `UPDATE job SET documents_total = @waiting + @excluded, documents_excluded = @excluded WHERE id = @job`,
    ),
    beginSegment: store.statement<{ job: number }>(
      `UPDATE job SET segments = segments + 1, error_text = NULL, error_code = NULL WHERE id = @job`,
    ),
    noteRunning: store.statement<{ job: number; runningMs: number }>(
      `UPDATE job SET running_ms = @runningMs WHERE id = @job`,
    ),
  }
}

/** Prepares the statements that record the errors of a run and end it. */
export function runEndStatements(store: Store) {
  return {
    setStopReason: store.statement<{ job: number; stopReason: string }>(
      `UPDATE job SET stop_reason = @stopReason WHERE id = @job`,
    ),
    /** Records why the run is given up: shown when it has ended, whatever else is shown until then. */
    setFailure: store.statement<{ job: number; text: string }>(
      `UPDATE job SET failure_text = @text, error_text = @text, error_code = NULL WHERE id = @job`,
    ),
    setError: store.statement<{ job: number; text: string | null; code: FaultCode | null }>(
      `UPDATE job SET error_text = @text, error_code = @code WHERE id = @job`,
    ),
    endError: store.statement<{ job: number; text: string | null; code: FaultCode | null }>(
      `UPDATE job SET error_text = COALESCE(@text, failure_text), error_code = @code WHERE id = @job`,
    ),
    /** Ends the run; its metadata file is still to be written. */
    leaveStoring: store.statement<{ job: number; nowMs: number; text: string | null }>(
      `UPDATE job SET is_described = 0, ended_ms = @nowMs, error_text = COALESCE(@text, failure_text), error_code = NULL WHERE id = @job`,
    ),
    /** Leaves the window of the run; windows that began in the meantime do not count. The time never moves back: a clock that
     *  was set back would begin them again. */
    endRun: store.statement<{ job: number; nowMs: number }>(
      `UPDATE job SET last_assessed_ms = MAX(COALESCE(last_assessed_ms, 0), @nowMs), window_end_ms = NULL, reseed_ms = NULL
       WHERE id = @job`,
    ),
    end: store.statement<{ job: number; nowMs: number }>(`UPDATE job SET ended_ms = @nowMs WHERE id = @job`),
    /** Uses job_to_describe. */
    undescribed: store.statement<object, { id: number }>(
      `SELECT id FROM job INDEXED BY job_to_describe WHERE is_described = 0 AND ${isAtRest} ORDER BY id`,
    ),
    described: store.statement<{ job: number }>(`UPDATE job SET is_described = 1 WHERE id = @job`),
    /** Newest first; without the run that is in progress or ended last. */
    earlierRuns: store.statement<{ job: number }, RunRow>(
      `SELECT run, started_ms AS startedMs, ended_ms AS endedMs, running_ms AS runningMs, stop_reason AS stopReason,
              error_text AS errorText, fetched, failed, excluded, truncated, bytes
       FROM job_run WHERE job_id = @job AND run < (SELECT run FROM job WHERE id = @job) ORDER BY run DESC`,
    ),
  }
}

/** Prepares the statements about the seeds that a run has read. */
export function seedingStatements(store: Store) {
  return {
    /** A definition that was changed in the meantime is not seeded yet, and its next run is from the beginning. */
    seeded: store.statement<{ job: number; version: string; reseedMs: number | null; definitionVersion: number }>(
      `UPDATE job SET seeding_version = CASE definition_version WHEN @definitionVersion THEN @version END,
              seeded_version = @definitionVersion, reseed_ms = @reseedMs, fail_ms = NULL, fail_count = NULL WHERE id = @job`,
    ),
    /** Only these seeds were queued: if the next run must check from the beginning, that stays so. */
    seededAgain: store.statement<{ job: number; definitionVersion: number }>(
      `UPDATE job SET seeded_version = @definitionVersion WHERE id = @job`,
    ),
    /** Runs several times per second for a running job. */
    versions: store.statement<{ job: number }, { definition: number; seeded: number }>(
      `SELECT definition_version AS definition, seeded_version AS seeded FROM job WHERE id = @job`,
    ),
    reseedMs: store.statement<{ job: number }, { reseedMs: number | null }>(
      `SELECT reseed_ms AS reseedMs FROM job WHERE id = @job`,
    ),
    setReseed: store.statement<{ job: number; reseedMs: number }>(
      `UPDATE job SET reseed_ms = @reseedMs WHERE id = @job`,
    ),
  }
}
