/** SQL statements about jobs whose quality files are to be read. */
import type { Store } from '../../storage/storage.ts'

/** Prepares the statements. */
export function readingStatements(store: Store) {
  return {
    /** Jobs that have ended, whose quality files have not been read since. */
    unread: store.statement<{ kind: string }, { job: number; endedMs: number }>(
      `SELECT job.id AS job, job.ended_ms AS endedMs
       FROM job LEFT JOIN quality_reading AS reading ON reading.job_id = job.id AND reading.kind = @kind
       WHERE job.ended_ms IS NOT NULL AND (reading.ended_ms IS NOT job.ended_ms OR reading.is_waiting = 1) ORDER BY job.id`,
    ),
    noteRead: store.statement<{ job: number; kind: string; endedMs: number; isWaiting: 0 | 1 }>(
      `INSERT INTO quality_reading (job_id, kind, ended_ms, is_waiting) VALUES (@job, @kind, @endedMs, @isWaiting)
       ON CONFLICT (job_id, kind) DO UPDATE SET ended_ms = excluded.ended_ms, is_waiting = excluded.is_waiting`,
    ),
  }
}
