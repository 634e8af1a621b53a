/** The result histogram: number of activities by class of identifier and class of result. */
import type { HistoryQuery } from '../../contract/services/history.ts'
import { activityConditions } from './filters.ts'
import { paged, type Made, type ReportSource } from './reportPage.ts'

interface Row {
  class: string | null
  resultClass: string | null
  activities: number
  bytes: number
}

/** Makes the result histogram. Distinct results are classified first, since there are few of them. */
export function resultHistogram({ store }: ReportSource, query: HistoryQuery): Made {
  const { where, values } = activityConditions(query)
  const all = store
    .statement<object, Row>(
      `WITH classed AS MATERIALIZED (SELECT id, class_of(@resultClass, text) AS resultClass FROM activity_result)
       SELECT class_of(@identifierClass, activity.identifier) AS class, classed.resultClass, COUNT(*) AS activities,
              COALESCE(SUM(activity.bytes), 0) AS bytes
       FROM activity JOIN classed ON classed.id = activity.result_id ${where}
       GROUP BY 1, 2 ORDER BY activities DESC, 1, 2`,
    )
    .all({ ...values, identifierClass: query.identifierClass, resultClass: query.resultClass })
  const inClass = all.filter((row) => row.class !== null && row.resultClass !== null)
  const made = paged(inClass, query, {
    cells: (row) => [row.class, row.resultClass, row.activities, row.bytes],
    bar: (row) => ({ name: `${row.class} · ${row.resultClass}`, amount: row.activities }),
    amounts: 'count',
  })
  const counted = (rows: readonly Row[]) => rows.reduce((sum, { activities }) => sum + activities, 0)
  return { ...made, leftOut: counted(all) - counted(inClass) }
}
