/** Statement for the totals of a report. */
import type { Store } from '../../storage/storage.ts'
import { isWhole } from '../copies/wholeCheck.sql.ts'

export interface FactsRow {
  files: number
  bytes: number
  checks: number
  /** Number of replicas with a finding newer than their last full checksum check. */
  troubled: number
  metadataFiles: number
  jobsWithoutMetadata: number
  filesWithoutJob: number
}

export function reportingStatements(store: Store) {
  return {
    /** Totals of the archive. Only findings on copies count; files that are not in the catalogue say nothing about checksums.
     *  `replicas`: a JSON list of names. Uses preservation_item_finding. */
    facts: store.statement<{ replicas: string }, FactsRow>(
      `SELECT (SELECT COUNT(*) FROM archive_file) AS files,
         (SELECT COALESCE(SUM(bytes), 0) FROM archive_file) AS bytes,
         (SELECT COUNT(*) FROM preservation_check JOIN task ON task.id = task_id WHERE ${isWhole}) AS checks,
         (SELECT COUNT(*) FROM (
            SELECT replica, MAX(done_ms) AS foundMs FROM preservation_item
            WHERE finding IS NOT NULL AND replica_file_id IS NOT NULL
              AND replica IN (SELECT value FROM json_each(@replicas))
            GROUP BY replica) AS trouble
          WHERE foundMs > COALESCE((
            SELECT MAX(ended_ms) FROM task INDEXED BY task_by_kind JOIN preservation_check ON task_id = task.id
            WHERE kind = 'checksums' AND ${isWhole} AND files_pattern IS NULL AND sample IS NULL
              AND trouble.replica IN (SELECT value FROM json_each(replicas))), 0)) AS troubled,
         (SELECT COUNT(*) FROM archive_file WHERE kind = 'metadata') AS metadataFiles,
         (SELECT COUNT(DISTINCT job_id) FROM archive_file AS content
          WHERE kind = 'content' AND job_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM archive_file WHERE kind = 'metadata' AND job_id = content.job_id)) AS jobsWithoutMetadata,
         (SELECT COUNT(*) FROM archive_file WHERE kind = 'content' AND job_id IS NULL) AS filesWithoutJob`,
    ),
  }
}
