/** Formats a report on the quality of a job as one CSV table (RFC 4180), with a row for each item. */
import type { QualityReport } from '../../contract/services/qualityReports.ts'
import { textOf } from '../../contract/words/render.ts'
import { csvRow } from '../../files/export/csvOut.ts'

type Row = [section: string, subject: string, item: string, value: string | number, note: string, author: string, time: string] // prettier-ignore

export function qualityReportCsv(report: QualityReport): string {
  const { progress, verdicts, pages, misses, overlays } = report
  const { good, minor, bad, unusable, ofJob } = progress
  const counts = Object.entries({ good, minor, bad, unusable })
  const rows: Row[] = [
    ['section', 'subject', 'item', 'value', 'note', 'author', 'time'],
    ['job', report.name, 'verdict', ofJob?.verdict ?? '', ofJob?.note ?? '', ofJob?.author ?? '', ofJob?.judged ?? ''],
    ...counts.map(([verdict, count]): Row => ['pages', '', verdict, count, '', '', '']),
    ...verdicts.map((row): Row => ['verdict', row.url, 'verdict', row.verdict, row.note, row.author, row.judged]),
    ...pages.flatMap((page) => {
      const { url, title, visited, risk, missing, bad: faulty, consoleErrors } = page
      const figures = Object.entries({ risk, missing, bad: faulty, consoleErrors })
      const { pixelDifference, textDifference } = page
      const compared = Object.entries({ pixelDifference, textDifference }).filter((entry) => entry[1] !== null)
      return [...figures, ...compared].map(([item, value]): Row => ['page', url, item, value ?? '', title, '', visited ?? '']) // prettier-ignore
    }),
    ...misses.flatMap(({ by, groups }) =>
      groups.map(({ value, label, misses: count }): Row => ['missing', value, by, count, textOf(label), '', '']),
    ),
    ...overlays.map((row): Row => [
      ...(['overlay', row.name, 'job', row.job, row.isOn ? 'on' : 'off', '', row.changed] as const),
    ]),
  ]
  return rows.map(csvRow).join('')
}
