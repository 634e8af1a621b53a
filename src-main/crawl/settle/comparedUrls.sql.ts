/** Keeps how the URLs of a run compared with the run before, when the start of the next run clears it (`scan.sql.ts`). The statements
 *  apply to a range of documents and can be repeated without further effect. */
import { listedRunsMax } from '../../contract/services/history.ts'
import { scannedCountMax } from '../model/limits.ts'
import type { Store } from '../../storage/storage.ts'

/** A range of document ids, both ends included. */
export interface DocumentRange {
  job: number
  from: number
  to: number
}

const inRange = `document.job_id = @job AND document.id BETWEEN @from AND @to`

/** Prepares the statements; `keep` comes before the ones that clear documents, `release` after them. */
export function comparedUrlStatements(store: Store) {
  return {
    /** The run is the last one that has begun: a start that was stopped before its run began leaves the rest to the next. */
    keep: store.statement<DocumentRange>(
      `INSERT INTO run_url (job_id, run, comparison, url, status, bytes, fetched_ms)
       SELECT @job, earlier.run, comparison, url, status, document.bytes, fetched_ms
       FROM document JOIN (SELECT MAX(job_run.run) AS run FROM job_run JOIN job ON job.id = job_run.job_id
                           WHERE job.id = @job AND job_run.run < job.run) AS earlier
       WHERE ${inRange} AND outcome = 'fetched' AND comparison IS NOT NULL AND earlier.run IS NOT NULL ORDER BY document.id`,
    ),
    release: store.statement<DocumentRange>(
      `UPDATE document SET comparison = NULL WHERE ${inRange} AND comparison IS NOT NULL`,
    ),
    /** Removes URLs of runs that are no longer listed: at most as many as a range adds. Uses run_url_by_run. */
    removeOld: store.statement<DocumentRange>(
      `DELETE FROM run_url WHERE id IN (SELECT id FROM run_url INDEXED BY run_url_by_run
         WHERE job_id = @job AND run < (SELECT run FROM job WHERE id = @job) - ${listedRunsMax} LIMIT ${scannedCountMax})`,
    ),
  }
}
