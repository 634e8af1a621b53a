/** Periods of a calendar in UTC, as the beginning of an ISO 8601 date. */
import type { GrowthPeriod } from './growth.ts'

const dayMs = 86_400_000

/** Returns a function that names the period of a moment: `2024`, `2024-05` or `2024-05-17`. Captures that follow each other in an index are
 *  often of one day, so days are named once. */
export function periodsOf(period: GrowthPeriod): (timestampMs: number) => string {
  const names = new Map<number, string>()
  return (timestampMs) => {
    const day = Math.floor(timestampMs / dayMs)
    const known = names.get(day)
    if (known !== undefined) return known
    const [date = ''] = new Date(day * dayMs).toISOString().split('T')
    const name = period === 'day' ? date : date.slice(0, period === 'month' ? -3 : -6)
    names.set(day, name)
    return name
  }
}
