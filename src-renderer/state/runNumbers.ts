/** What the runs of a job changed, from the report on runs. */
import { historyReports, listedRunsMax, type HistoryReport } from '../../src-main/contract/services/history.ts'
import { comparisons, type Comparison } from '../../src-main/contract/shapes/comparisons.ts'

/** URLs of a run by how each compares with its last capture. */
export type RunNumbers = Readonly<Record<Comparison, number>>

const columns = Object.keys(historyReports.runs.columns)
/** The order in which they are shown. */
const order = ['unchanged', 'new', 'gone', 'changed'] as const satisfies readonly Comparison[]

/** Returns the numbers of each run, by the number of the run. A run without them is left out: they are not known. */
export function runNumbersOf({ rows }: Pick<HistoryReport, 'rows'>): ReadonlyMap<number, RunNumbers> {
  const cellOf = (row: HistoryReport['rows'][number], column: string) => row[columns.indexOf(column)] ?? null
  const known = rows.filter((row) => comparisons.every((name) => cellOf(row, name) !== null))
  return new Map(
    known.map((row) => {
      const count = (name: Comparison) => Number(cellOf(row, name))
      const numbers = {
        new: count('new'),
        unchanged: count('unchanged'),
        changed: count('changed'),
        gone: count('gone'),
      }
      return [Number(cellOf(row, 'run')), numbers]
    }),
  )
}

/** The numbers that are not 0, in the order in which they are shown. */
export function changesShown(numbers: RunNumbers): [Comparison, number][] {
  return order.filter((name) => numbers[name] > 0).map((name) => [name, numbers[name]])
}

/** Whether the URLs of a run are kept. `last`: the number of the last run. */
export function isListed(run: number, last: number): boolean {
  return run >= last - listedRunsMax
}
