/** Facets of a result: how many contents have a capture of each host, type, year, language, job and status. Pure. */
import type { FacetRow } from './search.sql.ts'

/** A value with the number of contents. */
export interface FacetCount {
  value: string
  count: number
}

export const facetNames = ['host', 'type', 'year', 'language', 'job', 'status'] as const
export type Facets = Record<(typeof facetNames)[number], FacetCount[]>

/** Values of a facet that are listed: the most frequent. */
const valuesMax = 50

/** Counts captures that come in the order of their contents, each content once per value. `labelOf` gives the text of hosts, types and
 *  languages. Values that are not known are left out. */
export function countFacets(rows: readonly FacetRow[], labelOf: (id: number) => string): Facets {
  const isLabel = { host: true, type: true, language: true, year: false, job: false, status: false }
  const facets = facetNames.map((name) => {
    const counts = new Map<number, { count: number; last: number }>()
    for (const row of rows) {
      const value = row[name]
      const counted = counts.get(value)
      if (!counted) counts.set(value, { count: 1, last: row.content })
      else if (counted.last !== row.content) {
        counted.count++
        counted.last = row.content
      }
    }
    const listed = [...counts].toSorted(([a, { count: x }], [b, { count: y }]) => y - x || a - b).slice(0, valuesMax)
    const named = listed.map(([value, { count }]) => ({
      value: isLabel[name] ? labelOf(value) : value === 0 ? '' : String(value),
      count,
    }))
    return [name, named.filter(({ value }) => value !== '')]
  })
  return Object.fromEntries(facets) as Facets
}

/** Counts contents by the months (UTC) of their captures, `2024-05`, in ascending order. The captures come in the order of their contents. */
export function countMonths(rows: readonly Pick<FacetRow, 'content' | 'capturedMs'>[]): FacetCount[] {
  const counts = new Map<string, { count: number; last: number }>()
  for (const { content, capturedMs } of rows) {
    const month = new Date(capturedMs).toISOString().slice(0, -'-01T00:00:00.000Z'.length)
    const counted = counts.get(month)
    if (!counted) counts.set(month, { count: 1, last: content })
    else if (counted.last !== content) {
      counted.count++
      counted.last = content
    }
  }
  return [...counts].map(([value, { count }]) => ({ value, count })).toSorted((a, b) => (a.value < b.value ? -1 : 1))
}
