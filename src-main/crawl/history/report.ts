/** All reports by name, and the functions that make them. */
import type { HistoryQuery, HistoryReport, HistoryReportName } from '../../contract/services/history.ts'
import { documentOrders, documentStatusReport, queueStatusReport } from './documentReports.ts'
import { hostReport, mediaTypeReport, seedReport, statusReport } from './jobReports.ts'
import type { MakeReport, ReportSource } from './reportPage.ts'
import { maximumActivity, maximumBandwidth } from './maximum.ts'
import { resultHistogram } from './resultHistogram.ts'
import { changeReport, runReport } from './runReports.ts'
import { historyOrders, simpleHistory } from './simpleHistory.ts'

const makers: Readonly<Record<HistoryReportName, MakeReport>> = {
  history: simpleHistory,
  maximumActivity,
  maximumBandwidth,
  results: resultHistogram,
  documents: documentStatusReport,
  queue: queueStatusReport,
  hosts: hostReport,
  mediaTypes: mediaTypeReport,
  statuses: statusReport,
  seeds: seedReport,
  runs: runReport,
  changes: changeReport,
}

/** Columns by which the rows of a report can be ordered; reports that are not listed have a fixed order. */
export const reportOrders: Partial<Record<HistoryReportName, readonly string[]>> = {
  history: Object.keys(historyOrders),
  documents: Object.keys(documentOrders),
}

/** Makes the report that the query names. */
export async function makeReport(source: ReportSource, query: HistoryQuery): Promise<HistoryReport> {
  return { report: query.report, ...(await makers[query.report](source, query)) }
}
