/** Periods without captures, which the engine leaves out and a picture has to show. */
import type { Loupe } from '../../../src-main/contract/contract.ts'

export type GrowthRow = Awaited<ReturnType<Loupe['growth']['overTime']>>['rows'][number]

/** Bars of a picture: more are narrower than a point of the screen. Beyond it, periods without captures are left out. */
export const barsMax = 3_000

/** Adds the periods between the rows: empty ones, or equal to the one before where the amounts are cumulative. */
export function withPeriodsBetween(rows: readonly GrowthRow[], isCumulative: boolean): readonly GrowthRow[] {
  const all: GrowthRow[] = []
  for (const row of rows) {
    const before = all.at(-1)
    const amounts = row.amounts.map((_, at) => (isCumulative && before?.amounts[at]) || { captures: 0, bytes: 0 })
    for (let next = before && periodAfter(before.period); next !== undefined && next < row.period;) {
      if (all.length >= barsMax) return rows
      all.push({ period: next, amounts })
      next = periodAfter(next)
    }
    all.push(row)
  }
  return all
}

/** The next year, month or day, in the same form. */
function periodAfter(period: string): string {
  const [year = 0, month = 1, day = 1] = period.split('-').map(Number)
  const parts = period.split('-').length
  const next = Date.UTC(year + Number(parts === 1), month - 1 + Number(parts === 2), day + Number(parts === 3))
  return new Date(next).toISOString().slice(0, period.length)
}
