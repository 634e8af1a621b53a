/** A table of the report. All its rows are in the document, because a report is printed; therefore their number is limited. */
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.tsx'

/** Rows shown, as many as in the printed file. */
const rowsMax = 500

interface ReportTableProps {
  label: string
  heads: readonly string[]
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[]
}

export function ReportTable({ label, heads, rows }: ReportTableProps) {
  const t = useWords()
  const more = rows.length - rowsMax
  return (
    <>
      <div className="report-table" tabIndex={0} role="group" aria-label={label}>
        <table aria-label={label}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, rowsMax).map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell, at) => (
                  <td key={heads[at]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p className="dimmed">{t('report.more', { more })}</p>}
    </>
  )
}
