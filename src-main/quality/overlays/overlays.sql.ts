/** SQL statements about overlays. */
import type { Store } from '../../storage/storage.ts'

/** A row of the table `overlay`, without what was recorded. Times are milliseconds since 1970 UTC. */
export interface OverlayRow {
  patches: number
  job: number
  name: string
  isOn: 0 | 1
  createdMs: number
  changedMs: number
}

const columns = 'patches, job_id AS job, name, is_on AS isOn, created_ms AS createdMs, changed_ms AS changedMs'

/** Prepares the statements. */
export function overlayStatements(store: Store) {
  return {
    list: store.statement<{ jobs: string }, OverlayRow>(
      `SELECT ${columns} FROM overlay WHERE patches IN (SELECT value FROM json_each(@jobs)) ORDER BY patches, job_id`,
    ),
    one: store.statement<{ patches: number; job: number }, OverlayRow>(
      `SELECT ${columns} FROM overlay WHERE patches = @patches AND job_id = @job`,
    ),
    /** Patch jobs that have ended and are no overlay yet. */
    ended: store.statement<object, { patches: number; job: number; endedMs: number }>(
      `SELECT patches, job_id AS job, job.ended_ms AS endedMs FROM patch_job JOIN job ON job.id = job_id
       WHERE job.ended_ms IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM overlay WHERE overlay.patches = patch_job.patches AND overlay.job_id = patch_job.job_id)`,
    ),
    /** Adds an overlay, or replaces an older one. `recordedMs`: null where no quality file has it. */
    put: store.statement<OverlayRow & { recordedMs: number | null }>(
      `INSERT INTO overlay (patches, job_id, name, is_on, created_ms, changed_ms, recorded_ms)
       VALUES (@patches, @job, @name, @isOn, @createdMs, @changedMs, @recordedMs)
       ON CONFLICT (patches, job_id) DO UPDATE SET name = excluded.name, is_on = excluded.is_on,
         changed_ms = excluded.changed_ms, recorded_ms = excluded.recorded_ms WHERE excluded.changed_ms > overlay.changed_ms`,
    ),
    /** Changes that no quality file has, of patched jobs that exist. */
    unrecorded: store.statement<object, OverlayRow>(
      `SELECT ${columns} FROM overlay WHERE recorded_ms IS NOT changed_ms AND EXISTS (SELECT 1 FROM job WHERE job.id = patches)
       ORDER BY patches, job_id`,
    ),
    noteRecorded: store.statement<Pick<OverlayRow, 'patches' | 'job' | 'changedMs'>>(
      `UPDATE overlay SET recorded_ms = @changedMs WHERE patches = @patches AND job_id = @job`,
    ),
  }
}
