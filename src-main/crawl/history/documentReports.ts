/** The document status and queue status reports: the current state of documents, one by one or counted by class. */
import { timeOf } from '../../contract/text/timeOf.ts'
import { documentStatesIn, waitingDocumentStates, type DocumentGroup } from '../../contract/states/documentStates.ts'
import { isWaiting } from '../model/documentSets.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { HistoryQuery } from '../../contract/services/history.ts'
import { documentStatus } from '../model/jobDocuments.sql.ts'
import { documentConditions } from './filters.ts'
import { barsMax } from './limits.ts'
import { noChart, orderBy, paged, type Made, type ReportSource, timeUnlessZero } from './reportPage.ts'

interface DocumentStatusRow {
  id: number
  url: string
  job: number
  state: string
  status: string | null
  dueMs: number | null
  action: string | null
  attempts: number
  fetchedMs: number | null
  bytes: number | null
}

/** Column of the document status → SQL expression that it is sorted by. */
export const documentOrders = {
  identifier: 'document.url',
  job: 'document.job_id',
  state: 'document.state',
  status: documentStatus,
  due: `CASE WHEN ${stateIn(waitingDocumentStates, 'document.state')} THEN document.due_ms END`,
  attempts: 'document.attempts',
  fetched: 'document.fetched_ms',
  bytes: 'document.bytes',
  /** The order in which the documents were found. */
  found: 'document.id',
} as const

/** Makes the document status report, with a chart of documents by state on the first page. */
export function documentStatusReport({ store }: ReportSource, query: HistoryQuery): Made {
  const { where, values } = documentConditions(query)
  const rows = store
    .statement<object, DocumentStatusRow>(
      `SELECT document.id, url, job_id AS job, state, ${documentStatus} AS status, ${documentOrders.due} AS dueMs,
              CASE WHEN ${isWaiting} THEN COALESCE(check_action, 'fetch') END AS action, attempts,
              fetched_ms AS fetchedMs, bytes
       FROM document ${where} ${orderBy(documentOrders, 'found', query)} LIMIT @limit OFFSET @offset`,
    )
    .all({ ...values, limit: query.limit, offset: query.offset })
  const states = store
    .statement<object, { name: string; amount: number }>(
      `SELECT state AS name, COUNT(*) AS amount FROM document ${where} GROUP BY 1 ORDER BY 2 DESC LIMIT ${barsMax}`,
    )
    .all(values)
  return {
    rows: rows.map(({ url, job, state, status, dueMs, action, attempts, fetchedMs, bytes }) => [
      url,
      job,
      state,
      status,
      timeUnlessZero(dueMs),
      action,
      attempts,
      timeOf(fetchedMs),
      bytes,
    ]),
    total: states.reduce((sum, { amount }) => sum + amount, 0),
    leftOut: 0,
    chart: query.offset > 0 ? noChart : { names: 'state', amounts: 'count', bars: states },
  }
}

interface QueueRow {
  class: string | null
  total: number
  ready: number
  resting: number
  processing: number
  fetched: number
  failed: number
  excluded: number
  leaving: number
}

/** Makes the queue status report: documents by class of identifier and by status. */
export function queueStatusReport({ store, nowMs }: ReportSource, query: HistoryQuery): Made {
  const { where, values } = documentConditions(query)
  const isIn = (group: DocumentGroup) => stateIn(documentStatesIn(group))
  const counted = (name: keyof QueueRow, condition: string) => `COUNT(*) FILTER (WHERE ${condition}) AS ${name}`
  const all = store
    .statement<object, QueueRow>(
      `SELECT class_of(@identifierClass, url) AS class, COUNT(*) AS total,
              ${counted('ready', `${isIn('waiting')} AND due_ms <= @nowMs`)},
              ${counted('resting', `${isIn('waiting')} AND due_ms > @nowMs`)},
              ${counted('processing', isIn('processing'))},
              ${counted('fetched', `${isIn('settled')} AND outcome = 'fetched'`)},
              ${counted('failed', `${isIn('settled')} AND outcome = 'failed'`)},
              ${counted('excluded', `${isIn('settled')} AND COALESCE(outcome, 'excluded') = 'excluded'`)},
              ${counted('leaving', isIn('leaving'))}
       FROM document ${where} GROUP BY 1 ORDER BY total DESC, 1`,
    )
    .all({ ...values, identifierClass: query.identifierClass, nowMs })
  const inClass = all.filter((row) => row.class !== null)
  const made = paged(inClass, query, {
    cells: (row) => [
      row.class,
      row.total,
      row.ready,
      row.resting,
      row.processing,
      row.fetched,
      row.failed,
      row.excluded,
      row.leaving,
    ],
    bar: (row) => ({ name: row.class ?? '', amount: row.total }),
    amounts: 'count',
  })
  return { ...made, leftOut: all.find((row) => row.class === null)?.total ?? 0 }
}
