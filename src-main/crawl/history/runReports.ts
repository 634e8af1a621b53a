/** The reports on runs: what each changed, in numbers, and URL by URL. The last run has its numbers in its documents, earlier runs have
 *  them in `run_url` and `run_comparison`, and what left the list of a job is in `removed_document`. */
import type { HistoryQuery } from '../../contract/services/history.ts'
import type { Comparison } from '../../contract/shapes/comparisons.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import { comparedConditions, jobConditions } from './filters.ts'
import { noChart, type Made, type ReportSource } from './reportPage.ts'

/** The run to which the documents of a job belong. While the list is prepared for a run that has not begun, it is the one before. */
const lastRun = `CASE WHEN job.started_ms IS NULL
  THEN (SELECT MAX(run) FROM job_run WHERE job_id = job.id AND job_run.run < job.run) ELSE job.run END`
const isCompared = `document.outcome = 'fetched' AND document.comparison IS NOT NULL`

interface RunNumbers {
  run: number
  job: number
  startedMs: number
  endedMs: number | null
  fetched: number
  new: number
  changed: number
  unchanged: number
  gone: number
}

/** Makes the report on runs, the last run of a job first. Numbers are null for runs that were restored from files of the archive. */
export function runReport({ store }: ReportSource, query: HistoryQuery): Made {
  const { where, values } = jobConditions(query)
  const sum = (name: Comparison) => `COALESCE(SUM(documents) FILTER (WHERE comparison = '${name}'), 0) AS ${name}`
  const all = store
    .statement<object, RunNumbers>(
      `WITH chosen AS (SELECT job.id, ${lastRun} AS last, job.run, started_ms, ended_ms, documents_fetched
                       FROM job JOIN harvest ON harvest.id = harvest_id AND harvest.kind = 'event' ${where}),
         every AS (
           SELECT id AS job, run, started_ms, ended_ms, documents_fetched AS fetched FROM chosen WHERE started_ms IS NOT NULL
           UNION ALL
           SELECT job_id, job_run.run, job_run.started_ms, job_run.ended_ms, fetched FROM chosen
           JOIN job_run ON job_id = chosen.id AND job_run.run < chosen.run),
         counted (job, run, comparison, documents) AS (
           SELECT chosen.id, last, comparison, COUNT(*) FROM chosen JOIN document ON document.job_id = chosen.id
           WHERE ${isCompared} GROUP BY chosen.id, last, comparison
           UNION ALL
           SELECT chosen.id, kept.run, comparison, documents FROM chosen JOIN run_comparison AS kept ON kept.job_id = chosen.id
           UNION ALL
           SELECT chosen.id, lost.run, 'gone', COUNT(*) FROM chosen JOIN removed_document AS lost ON lost.job_id = chosen.id
           GROUP BY chosen.id, lost.run)
       SELECT every.run, every.job, started_ms AS startedMs, ended_ms AS endedMs, fetched,
              ${sum('new')}, ${sum('changed')}, ${sum('unchanged')}, ${sum('gone')}
       FROM every LEFT JOIN counted ON counted.job = every.job AND counted.run = every.run
       GROUP BY every.job, every.run ORDER BY every.job, every.run DESC`,
    )
    .all(values)
  const rows = all.slice(query.offset, query.offset + query.limit).map((row) => {
    const numbers = [row.new, row.changed, row.unchanged, row.gone]
    const isUnknown = row.fetched > 0 && numbers.every((number) => number === 0)
    return [
      ...[row.run, row.job, timeOf(row.startedMs), timeOf(row.endedMs)],
      ...(isUnknown ? numbers.map(() => null) : numbers),
    ]
  })
  return { rows, total: all.length, leftOut: 0, chart: noChart }
}

interface ComparedRow {
  url: string
  comparison: Comparison
  job: number
  run: number
  status: number | null
  bytes: number | null
  fetchedMs: number | null
}

/** Makes the report on the URLs of a run, with a chart of their comparisons on the first page. */
export function changeReport({ store }: ReportSource, query: HistoryQuery): Made {
  const jobs = jobConditions(query)
  const { where, values } = comparedConditions(query)
  const columns = (table: string) => `${table}.url, ${table}.status, ${table}.bytes, ${table}.fetched_ms`
  const compared = `WITH chosen AS (SELECT id, last, COALESCE(@run, last) AS run
                     FROM (SELECT job.id, ${lastRun} AS last FROM job ${jobs.where})),
    compared (job, run, comparison, place, at, url, status, bytes, fetchedMs) AS (
      SELECT chosen.id, chosen.run, comparison, 2, document.id, ${columns('document')}
      FROM chosen JOIN document ON document.job_id = chosen.id WHERE chosen.run = last AND ${isCompared}
      UNION ALL
      SELECT chosen.id, chosen.run, comparison, 1, kept.id, ${columns('kept')}
      FROM chosen JOIN run_url AS kept ON kept.job_id = chosen.id AND kept.run = chosen.run
      UNION ALL
      SELECT chosen.id, chosen.run, 'gone', 3, lost.id, ${columns('lost')}
      FROM chosen JOIN removed_document AS lost ON lost.job_id = chosen.id AND lost.run = chosen.run)`
  const given = { run: query.run ?? null, ...jobs.values, ...values }
  const rows = store
    .statement<object, ComparedRow>(
      `${compared} SELECT url, comparison, job, run, status, bytes, fetchedMs FROM compared ${where}
       ORDER BY job, place, at LIMIT @limit OFFSET @offset`,
    )
    .all({ ...given, limit: query.limit, offset: query.offset })
  const bars = store
    .statement<object, { name: string; amount: number }>(
      `${compared} SELECT comparison AS name, COUNT(*) AS amount FROM compared ${where} GROUP BY 1 ORDER BY 2 DESC, 1`,
    )
    .all(given)
  return {
    rows: rows.map(({ url, comparison, job, run, status, bytes, fetchedMs }) => [
      ...[url, comparison, job, run],
      ...[status === null ? null : String(status), bytes, timeOf(fetchedMs)],
    ]),
    total: bars.reduce((sum, { amount }) => sum + amount, 0),
    leftOut: 0,
    chart: query.offset > 0 ? noChart : { names: 'comparison', amounts: 'count', bars },
  }
}
