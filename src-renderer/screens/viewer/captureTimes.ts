/** Captures of one address in time: years, days, and a year as a calendar. Days are UTC, as everywhere in the archive. Pure. */

interface Timed {
  /** ISO 8601, UTC. */
  captured: string
}

function yearOf({ captured }: Timed): number {
  return new Date(captured).getUTCFullYear()
}

export function dayOf({ captured }: Timed): string {
  return new Date(captured).toISOString().slice(0, 10)
}

/** From the first year to the last, those without a capture too: a gap is what a curator looks for. */
export function yearsOf(captures: readonly Timed[]): { year: number; count: number }[] {
  const years = captures.map(yearOf)
  const [first, last] = [Math.min(...years), Math.max(...years)]
  return years.length === 0
    ? []
    : Array.from({ length: last - first + 1 }, (_, index) => {
        const year = first + index
        return { year, count: years.filter((one) => one === year).length }
      })
}

export function capturesByDay<Capture extends Timed>(captures: readonly Capture[]): Map<string, Capture[]> {
  return Map.groupBy(captures, dayOf)
}

/** Weeks of a month, Monday first (ISO 8601); null: the day belongs to another month. */
export function weeksOf(year: number, month: number): (string | null)[][] {
  const first = utcDay(year, month, 1)
  const before = (first.getUTCDay() + 6) % 7
  const length = utcDay(year, month + 1, 0).getUTCDate()
  const cells = Array.from({ length: Math.ceil((before + length) / 7) * 7 }, (_, index) => {
    const number = index - before + 1
    return number < 1 || number > length ? null : utcDay(year, month, number).toISOString().slice(0, 10)
  })
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

/** `Date.UTC` takes the years below 100 for those of the twentieth century. */
function utcDay(year: number, month: number, number: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, number)
  return date
}
