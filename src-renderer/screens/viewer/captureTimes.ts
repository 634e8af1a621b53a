/** Captures of one URL by year, and a year as a calendar. Days are UTC, as everywhere in the archive. Pure. */

interface CapturedYear {
  year: number
  captures: number
}

/** All years from the first to the last, including those without a capture, because curators look for gaps. `captured` must be in order. */
export function yearsOf(captured: readonly CapturedYear[]): CapturedYear[] {
  const [first, last] = [captured[0]?.year ?? 0, captured.at(-1)?.year ?? -1]
  const counts = new Map(captured.map(({ year, captures }) => [year, captures]))
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const year = first + index
    return { year, captures: counts.get(year) ?? 0 }
  })
}

/** Weeks of a month, starting on Monday (ISO 8601). Null for a day of another month. */
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

/** `Date.UTC` maps years below 100 to the twentieth century. */
function utcDay(year: number, month: number, number: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, number)
  return date
}
