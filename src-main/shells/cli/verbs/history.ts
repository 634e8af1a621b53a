/** The verb `loupe history`: prints a report as a table, as CSV with all its rows, or as one JSON document. */
import {
  activityKinds,
  historyReports,
  historyRowsMax,
  type ActivityKind,
  type CellKind,
  type HistoryCell,
  type HistoryReport,
  type HistoryReportName,
} from '../../../contract/services/history.ts'
import { comparisons } from '../../../contract/shapes/comparisons.ts'
import { labelOf } from '../../../contract/services/historyLabels.ts'
import { bytesMessage, numberMessage, perMinute, perSecond } from '../../../contract/text/quantities.ts'
import { csvRow } from '../../../files/export/csvOut.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { bytesText, dataTable, durationText, momentText } from '../output/output.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export interface HistoryOptions {
  report: HistoryReportName
  jobs?: number[]
  from?: string
  to?: string
  activity?: string[]
  identifier?: string
  result?: string
  class?: string
  resultClass?: string
  window?: number
  run?: number
  change?: string[]
  order?: string
  ascending?: true
  limit?: number
  csv?: true
}

/** Rows of the table on a terminal. Longer reports are meant for a file. */
const rowsShown = 100

export async function history(command: Command, options: HistoryOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const query = queryOf(options)
    const ask = (page: { offset: number; limit: number }) => services.history.report({ ...query, ...page })
    if (options.csv) return printCsv(command, options, ask)
    const limit = Math.min(options.limit ?? (command.output.json ? historyRowsMax : rowsShown), historyRowsMax)
    const report = await ask({ offset: 0, limit })
    const columns = Object.entries(historyReports[options.report].columns)
    const { total, leftOut, chart } = report
    const rows = report.rows.map((row) => Object.fromEntries(columns.map(([name], at) => [name, row[at] ?? null])))
    command.output.result({ report: options.report, total, leftOut, rows, chart }, () => reportText(report, columns))
    return 0
  })
}

function queryOf(options: HistoryOptions) {
  const { report, jobs, from, to, activity, identifier, result, window, run, change, order, ascending } = options
  const activities = activity?.filter((kind): kind is ActivityKind => activityKinds.some((known) => known === kind))
  const chosen = change && comparisons.filter((known) => change.includes(known))
  return {
    report,
    ...(jobs && { jobs }),
    ...(from && { from }),
    ...(to && { to }),
    ...(activities && { activities }),
    ...(identifier !== undefined && { identifier }),
    ...(result !== undefined && { result }),
    ...(options.class !== undefined && { identifierClass: options.class }),
    ...(options.resultClass !== undefined && { resultClass: options.resultClass }),
    ...(window && { windowSeconds: window }),
    ...(run !== undefined && { run }),
    ...(chosen && { comparisons: chosen }),
    ...(order !== undefined && { order }),
    ...(ascending && { direction: 'ascending' as const }),
  }
}

type Ask = (page: { offset: number; limit: number }) => Promise<HistoryReport>

/** Reads page by page: a history may not fit in memory. */
async function printCsv(
  { output, signal }: Command,
  { report, limit = Infinity }: HistoryOptions,
  ask: Ask,
): Promise<ExitCode> {
  await output.part(csvRow(Object.keys(historyReports[report].columns)))
  for (let offset = 0, total = Infinity; offset < Math.min(total, limit); offset += historyRowsMax) {
    if (signal.aborted) return 130
    const page = await ask({ offset, limit: Math.min(historyRowsMax, limit - offset) })
    total = page.total
    await output.part(
      page.rows
        .map((row) => csvRow(row.map((cell) => (typeof cell === 'object' ? cell && textOf(cell) : cell) ?? '')))
        .join(''),
    )
  }
  return 0
}

function reportText({ rows, total, leftOut }: HistoryReport, columns: [name: string, kind: CellKind][]): string {
  if (total === 0) return textFor('cli.history.none')
  const header = columns.map(([name, kind]) => `${isText(kind) ? '' : '>'}${name}`)
  const cells = rows.map((row) => columns.map(([, kind], at) => cellText(kind, row[at] ?? null)))
  const more = rows.length < total ? [textFor('cli.history.shown', { shown: rows.length, total })] : []
  const left = leftOut > 0 ? [textFor('cli.history.leftOut', { count: leftOut })] : []
  return [dataTable(header, cells), ...more, ...left].join('\n')
}

function isText(kind: CellKind): boolean {
  return ['text', 'activity', 'state', 'result', 'action', 'comparison', 'message', 'time'].includes(kind)
}

function cellText(kind: CellKind, value: HistoryCell): string | number {
  if (value === null) return ''
  if (typeof value === 'object') return textOf(value)
  if (typeof value === 'string') return kind === 'time' ? momentText(value, '') : labelText(kind, value)
  if (kind === 'bytes') return bytesText(value)
  if (kind === 'bytesPerSecond') return textOf(perSecond(bytesMessage(value)))
  if (kind === 'perMinute') return textOf(perMinute(numberMessage(value)))
  return kind === 'milliseconds' ? durationText(value / 1000) : value
}

function labelText(kind: CellKind, value: string): string {
  const label = labelOf(kind, value)
  return label ? textOf(label) : value
}
