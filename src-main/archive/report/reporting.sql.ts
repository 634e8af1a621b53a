/** What a report counts over the whole archive. */
import type { Store } from '../../storage/storage.ts'
import { isWhole } from '../copies/wholeCheck.sql.ts'

export interface FactsRow {
  files: number
  bytes: number
  checks: number
  /** Replicas with a finding that is younger than the last check of all their checksums. */
  troubled: number
  metadataFiles: number
  jobsWithoutMetadata: number
  filesWithoutJob: number
}

export function reportingStatements(store: Store) {
  return {
    /** Findings are those of copies: what lies in a folder and is not ours is no trouble of a checksum. `replicas`: a JSON
     *  list of names. Uses preservation_item_finding. */
    facts: store.statement<{ replicas: string }, FactsRow>(
      `SELECT (SELECT COUNT(*) FROM archive_file) AS files,
         (SELECT COALESCE(SUM(bytes), 0) FROM archive_file) AS bytes,
         (SELECT COUNT(*) FROM preservation_check WHERE ${isWhole}) AS checks,
         (SELECT COUNT(*) FROM (
            SELECT replica, MAX(done_ms) AS foundMs FROM preservation_item
            WHERE finding IS NOT NULL AND replica_file_id IS NOT NULL
              AND replica IN (SELECT value FROM json_each(@replicas))
            GROUP BY replica) AS trouble
          WHERE foundMs > COALESCE((
            SELECT MAX(ended_ms) FROM preservation_check
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
