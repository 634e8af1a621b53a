/** Captures of a URL per day, grouped by year, as a calendar shows them. Pure. */

/** Captures of one year. */
export interface TimelineYear {
  year: number
  captures: number
  /** Days with captures, in ascending order. */
  days: TimelineDay[]
}

/** Captures of one day. */
export interface TimelineDay {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  captures: number
}

export const dayMs = 86_400_000

/** Groups days by year. `days` are in ascending order and counted from 1970-01-01. */
export function timelineOf(days: readonly { day: number; captures: number }[]): TimelineYear[] {
  const years: TimelineYear[] = []
  for (const { day, captures } of days) {
    const date = new Date(day * dayMs)
    const year = date.getUTCFullYear()
    let last = years.at(-1)
    if (last?.year !== year) years.push((last = { year, captures: 0, days: [] }))
    last.captures += captures
    last.days.push({ day: date.toISOString().slice(0, 10), captures })
  }
  return years
}
