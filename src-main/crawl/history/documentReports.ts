/** The document status and queue status reports: the current state of documents, one by one or counted by class. */
import { waitingDocumentStates, type DocumentState } from '../../contract/states/documentStates.ts'
import type { HistoryQuery } from '../../contract/services/history.ts'
import { documentConditions, documentStatus } from './filters.ts'
import { barsMax } from './limits.ts'
import { noChart, orderBy, paged, timeOf, type Made, type ReportSource } from './reportPage.ts'

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

const waiting = sqlList(waitingDocumentStates)

/** Column of the document status → SQL expression that it is sorted by. */
export const documentOrders = {
  identifier: 'document.url',
  job: 'document.job_id',
  state: 'document.state',
  status: documentStatus,
  due: `CASE WHEN document.state IN (${waiting}) THEN document.due_ms END`,
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
              CASE WHEN state IN (${waiting}) THEN COALESCE(check_action, 'fetch') END AS action, attempts,
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
      timeOf(dueMs),
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

type QueueGroup = 'waiting' | 'processing' | 'settled' | 'leaving'

/** Group in which each state counts in the queue status. */
const groupOfState: Readonly<Record<DocumentState, QueueGroup>> = {
  PENDING: 'waiting',
  PENDINGPURGATORY: 'waiting',
  ACTIVE: 'processing',
  ACTIVENEEDRESCAN: 'processing',
  ACTIVEPURGATORY: 'processing',
  ACTIVENEEDRESCANPURGATORY: 'processing',
  COMPLETE: 'settled',
  UNCHANGED: 'settled',
  // Captured in an earlier run; whether it is removed is decided at the end of this one.
  PURGATORY: 'settled',
  HOPCOUNTREMOVED: 'settled',
  BEINGCLEANED: 'leaving',
  ELIGIBLEFORDELETE: 'leaving',
  BEINGDELETED: 'leaving',
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
  const isIn = (group: QueueGroup) => {
    const states = Object.entries(groupOfState).flatMap(([state, its]) => (its === group ? [state] : []))
    return `state IN (${sqlList(states)})`
  }
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

/** A list of SQL strings. Not escaped: only for names from Loupe's own tables. */
function sqlList(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}
