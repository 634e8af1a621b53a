/** The time line of a search: results per month, or per year where there are many months. Pure. */
import type { SearchFound } from '../../src-main/contract/services/search.ts'

type Counts = NonNullable<SearchFound['months']>

/** Months that are shown one by one: more would be narrower than a pointer needs. */
const monthsMax = 36
/** Years that are shown: the last ones. */
const yearsMax = 60

/** Returns all periods from the first with results to the last, those without results too. Of one year, a result counts once per month. */
export function periodsOf({ months, facets }: Pick<SearchFound, 'months' | 'facets'>): Counts {
  const [first, last] = [months?.at(0), months?.at(-1)]
  if (!months || !first || !last) return []
  const [from, to] = [monthNumber(first.value), monthNumber(last.value)]
  if (to - from < monthsMax) {
    const counts = new Map(months.map(({ value, count }) => [value, count]))
    return range(from, to).map((month) => periodWith(nameOfMonth(month), counts))
  }
  const counts = new Map(facets?.year.map(({ value, count }) => [value, count]))
  const [firstYear, lastYear] = [Math.floor(from / 12), Math.floor(to / 12)]
  return range(Math.max(firstYear, lastYear - yearsMax + 1), lastYear).map((year) => periodWith(String(year), counts))
}

function periodWith(value: string, counts: ReadonlyMap<string, number>): Counts[number] {
  return { value, count: counts.get(value) ?? 0 }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

function monthNumber(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return year * 12 + number - 1
}

function nameOfMonth(month: number): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
}
