/** SQL statements about verdicts. */
import { verdictValues, type VerdictValue } from '../../contract/services/verdicts.ts'
import type { Store } from '../../storage/storage.ts'

/** A row of the table `page_verdict`, without what was recorded. `verdict`: null: taken back. */
export interface VerdictRow {
  job: number
  url: string
  verdict: VerdictValue | null
  note: string
  author: string
  judgedMs: number
}

/** Verdicts of a job by value, and changes that no quality file has. */
export interface VerdictCounts extends Record<VerdictValue, number> {
  unstored: number
}

const columns = 'job_id AS job, url, verdict, note, author, judged_ms AS judgedMs'
const onPages = `job_id = @job AND url <> '' AND verdict IS NOT NULL AND (@verdict IS NULL OR verdict = @verdict)`
const worstFirst = `CASE verdict ${verdictValues.map((value, at) => `WHEN '${value}' THEN ${-at}`).join(' ')} END`
const countsOf = verdictValues.map((value) => `COUNT(*) FILTER (WHERE url <> '' AND verdict = '${value}') AS ${value}`)

type Filter = { job: number; verdict: VerdictValue | null }

/** Prepares the statements. */
export function verdictStatements(store: Store) {
  return {
    list: store.statement<Filter & { limit: number; offset: number }, VerdictRow>(
      `SELECT ${columns} FROM page_verdict WHERE ${onPages} ORDER BY ${worstFirst}, url LIMIT @limit OFFSET @offset`,
    ),
    total: store.statement<Filter, { total: number }>(`SELECT COUNT(*) AS total FROM page_verdict WHERE ${onPages}`),
    one: store.statement<{ job: number; url: string }, VerdictRow>(
      `SELECT ${columns} FROM page_verdict WHERE job_id = @job AND url = @url`,
    ),
    counts: store.statement<{ job: number }, VerdictCounts>(
      `SELECT ${countsOf.join(', ')}, COUNT(*) FILTER (WHERE recorded_ms IS NOT judged_ms) AS unstored
       FROM page_verdict WHERE job_id = @job`,
    ),
    /** Pages of the newest page audit of a job, and those with a verdict; no row: no audit. */
    audited: store.statement<{ job: number }, { audited: number; judged: number }>(
      `SELECT COUNT(*) AS audited, COUNT(page_verdict.verdict) AS judged FROM page_audit_page
       LEFT JOIN page_verdict ON page_verdict.job_id = @job AND page_verdict.url = page_audit_page.url
       WHERE audit_id = (SELECT MAX(task_id) FROM page_audit WHERE job_id = @job) GROUP BY audit_id`,
    ),
    /** Adds a verdict, or replaces an older one. `recordedMs`: null where no quality file has it. */
    put: store.statement<VerdictRow & { recordedMs: number | null }>(
      `INSERT INTO page_verdict (job_id, url, verdict, note, author, judged_ms, recorded_ms)
       VALUES (@job, @url, @verdict, @note, @author, @judgedMs, @recordedMs)
       ON CONFLICT (job_id, url) DO UPDATE SET verdict = excluded.verdict, note = excluded.note, author = excluded.author,
         judged_ms = excluded.judged_ms, recorded_ms = excluded.recorded_ms WHERE excluded.judged_ms > page_verdict.judged_ms`,
    ),
    /** Changes of a job that no quality file has. Uses page_verdict_to_record. */
    unrecorded: store.statement<{ job: number }, VerdictRow>(
      `SELECT ${columns} FROM page_verdict WHERE job_id = @job AND recorded_ms IS NOT judged_ms ORDER BY url`,
    ),
    /** Jobs with such changes. */
    jobsUnrecorded: store.statement<object, { job: number }>(
      `SELECT DISTINCT job_id AS job FROM page_verdict JOIN job ON job.id = job_id WHERE recorded_ms IS NOT judged_ms ORDER BY 1`,
    ),
    noteRecorded: store.statement<Pick<VerdictRow, 'job' | 'url' | 'judgedMs'>>(
      `UPDATE page_verdict SET recorded_ms = @judgedMs WHERE job_id = @job AND url = @url`,
    ),
  }
}
