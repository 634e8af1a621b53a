/** The reports on jobs: by host, by media type, by status, and on seeds. */
import { timeOf } from '../../contract/text/timeOf.ts'
import type { HistoryQuery } from '../../contract/services/history.ts'
import { isQueued } from '../model/documentSets.ts'
import { documentStatus } from '../model/jobDocuments.sql.ts'
import { documentConditions } from './filters.ts'
import { paged, type Made, type ReportSource } from './reportPage.ts'

interface HostRow {
  host: string
  total: number
  queued: number
  fetched: number
  failed: number
  excluded: number
  bytes: number
}

/** Makes the host report. A host of several jobs is one row. */
export function hostReport({ store }: ReportSource, query: HistoryQuery): Made {
  const { where, values } = documentConditions(query)
  const all = store
    .statement<object, HostRow>(
      `SELECT host.origin AS host, SUM(found.total) AS total, SUM(found.queued) AS queued,
              SUM(found.fetched) AS fetched, SUM(found.failed) AS failed, SUM(found.excluded) AS excluded,
              SUM(found.bytes) AS bytes
       FROM (SELECT host_id, COUNT(*) AS total, COUNT(*) FILTER (WHERE ${isQueued}) AS queued,
                    COUNT(*) FILTER (WHERE outcome = 'fetched') AS fetched, COUNT(*) FILTER (WHERE outcome = 'failed') AS failed,
                    COUNT(*) FILTER (WHERE outcome = 'excluded') AS excluded, COALESCE(SUM(bytes) FILTER (WHERE outcome = 'fetched'), 0) AS bytes
             FROM document ${where} GROUP BY host_id) AS found
       JOIN host ON host.id = found.host_id GROUP BY host.origin ORDER BY fetched DESC, host.origin`,
    )
    .all(values)
  return paged(all, query, {
    cells: (row) => [row.host, row.total, row.queued, row.fetched, row.failed, row.excluded, row.bytes],
    bar: ({ host, fetched }) => ({ name: host, amount: fetched }),
    amounts: 'count',
  })
}

interface CountRow {
  name: string
  documents: number
  bytes: number
}

/** Makes the media type report, on fetched documents. The name is empty if the server sent no type. */
export function mediaTypeReport(source: ReportSource, query: HistoryQuery): Made {
  return counts(source, query, `COALESCE(document.media_type, '')`, `outcome = 'fetched'`)
}

/** Makes the status report, on fetched and failed documents: the HTTP status, or the reason why there is none. */
export function statusReport(source: ReportSource, query: HistoryQuery): Made {
  return counts(source, query, `COALESCE(${documentStatus}, '')`, `outcome IN ('fetched', 'failed')`)
}

function counts({ store }: ReportSource, query: HistoryQuery, name: string, chosen: string): Made {
  const { where, values } = documentConditions(query)
  const all = store
    .statement<object, CountRow>(
      `SELECT ${name} AS name, COUNT(*) AS documents, COALESCE(SUM(bytes), 0) AS bytes
       FROM document ${where === '' ? 'WHERE' : `${where} AND`} ${chosen} GROUP BY 1 ORDER BY documents DESC, 1`,
    )
    .all(values)
  return paged(all, query, {
    cells: ({ name, documents, bytes }) => [name, documents, bytes],
    bar: ({ name, documents }) => ({ name, amount: documents }),
    amounts: 'count',
  })
}

interface SeedRow {
  seed: string
  job: number
  state: string
  status: string | null
  bytes: number | null
  fetchedMs: number | null
  redirectedTo: string | null
}

/** Condition: the document is a seed. It has a seed mark, or no referrer; a robots.txt also has no referrer, but is not a seed. */
const isSeed = `(document.seed_mark <> 'F' OR (document.via_id IS NULL AND document.role <> 'robots'))`

/** Makes the seed report: every seed of the jobs, and where it was redirected to. The chart counts seeds by status. */
export function seedReport({ store }: ReportSource, query: HistoryQuery): Made {
  const { where, values } = documentConditions(query)
  const and = where === '' ? 'WHERE' : `${where} AND`
  const all = store
    .statement<object, SeedRow>(
      `WITH redirected AS MATERIALIZED (SELECT via_id, MIN(url) AS url FROM document ${and} hop_path = 'R' GROUP BY via_id)
       SELECT document.url AS seed, document.job_id AS job, document.state, ${documentStatus} AS status, document.bytes,
              document.fetched_ms AS fetchedMs, redirected.url AS redirectedTo
       FROM document LEFT JOIN redirected ON redirected.via_id = document.id
       ${and} ${isSeed} ORDER BY document.job_id, document.id`,
    )
    .all(values)
  const byStatus = new Map<string, number>()
  for (const { status, state } of all) byStatus.set(status ?? state, (byStatus.get(status ?? state) ?? 0) + 1)
  const bars = [...byStatus].map(([name, amount]) => ({ name, amount })).sort((one, other) => other.amount - one.amount)
  const made = paged(all, query, {
    cells: (row) => [row.seed, row.job, row.state, row.status, row.bytes, timeOf(row.fetchedMs), row.redirectedTo],
    bar: ({ seed }) => ({ name: seed, amount: 1 }),
    amounts: 'count',
  })
  return query.offset > 0 ? made : { ...made, chart: { names: 'text', amounts: 'count', bars } }
}
