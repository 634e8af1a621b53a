/** The simple history report: single activities, in any order, and a chart of their number over time. */
import { timeOf } from '../../contract/text/timeOf.ts'
import { messageFrom } from '../../contract/words/message.ts'
import { activityNumbers, type HistoryQuery } from '../../contract/services/history.ts'
import { activityConditions } from './filters.ts'
import { barsMax } from './limits.ts'
import { noChart, orderBy, type Made, type ReportSource } from './reportPage.ts'

interface ActivityRow {
  id: number
  kind: number
  job: number
  startMs: number
  durationMs: number
  identifier: string
  result: string
  bytes: number | null
  description: string | null
}

/** Column → SQL expression that it is sorted by. Without a filter, the newest are read in the order of activity_by_start. */
export const historyOrders = {
  started: 'activity.start_ms',
  activity: 'activity.kind',
  job: 'activity.job_id',
  identifier: 'activity.identifier',
  result: 'activity_result.text',
  bytes: 'activity.bytes',
  took: 'activity.duration_ms',
} as const

/** Makes the simple history, with the chart on the first page. */
export function simpleHistory({ store }: ReportSource, query: HistoryQuery): Made {
  const { where, values } = activityConditions(query)
  const rows = store
    .statement<object, ActivityRow>(
      `SELECT activity.id, kind, job_id AS job, start_ms AS startMs, duration_ms AS durationMs, identifier,
              activity_result.text AS result, bytes, description
       FROM activity JOIN activity_result ON activity_result.id = activity.result_id
       ${where} ${orderBy(historyOrders, 'started', query)} LIMIT @limit OFFSET @offset`,
    )
    .all({ ...values, limit: query.limit, offset: query.offset })
  const whole = store
    .statement<object, { total: number; firstMs: number | null; lastMs: number | null }>(
      `SELECT COUNT(*) AS total, MIN(start_ms) AS firstMs, MAX(start_ms) AS lastMs FROM activity ${where}`,
    )
    .get(values)
  const { total = 0, firstMs = null, lastMs = null } = whole ?? {}
  const chart = query.offset > 0 || firstMs === null || lastMs === null ? noChart : overTime(firstMs, lastMs)
  return { rows: rows.map(cellsOf), total, leftOut: 0, chart }

  function overTime(first: number, last: number): Made['chart'] {
    const sliceMs = Math.max(1, Math.ceil((last - first + 1) / barsMax))
    const counted = store
      .statement<object, { slice: number; amount: number }>(
        `SELECT CAST((start_ms - @first) / @sliceMs AS INTEGER) AS slice, COUNT(*) AS amount FROM activity ${where} GROUP BY 1`,
      )
      .all({ ...values, first, sliceMs })
    const amounts = new Map(counted.map(({ slice, amount }) => [slice, amount]))
    const slices = Math.ceil((last - first + 1) / sliceMs)
    const bars = Array.from({ length: slices }, (_, slice) => ({
      name: new Date(first + slice * sliceMs).toISOString(),
      amount: amounts.get(slice) ?? 0,
    }))
    return { names: 'time', amounts: 'count', bars }
  }
}

function cellsOf({ kind, job, startMs, durationMs, identifier, result, bytes, description }: ActivityRow) {
  const name = nameOfKind.get(kind) ?? String(kind)
  const cause = messageFrom(description)
  return [timeOf(startMs), name, job, identifier, result, bytes, durationMs, cause]
}

const nameOfKind = new Map<number, string>(Object.entries(activityNumbers).map(([name, number]) => [number, name]))
