/** How many captures of an address there are of each day, gathered by years: what a calendar of captures shows. Pure. */

export interface TimelineYear {
  year: number
  captures: number
  /** Only those that have captures, in order. */
  days: TimelineDay[]
}

export interface TimelineDay {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  captures: number
}

export const dayMs = 86_400_000

/** `days`: in order, counted from 1970. */
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
