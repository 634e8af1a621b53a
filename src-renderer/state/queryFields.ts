/** Fields in the text of a query, which the facets write and remove: `host:`, `type:`, `lang:`, `job:`, `status:`, and a year or a
 *  month as `after:` and `before:`. Pure. */
import type { SearchFound } from '../../src-main/contract/services/search.ts'

export type Facet = keyof NonNullable<SearchFound['facets']>

const fieldOf = { host: 'host', type: 'type', language: 'lang', job: 'job', status: 'status' } as const

/** The words of a query as they are written; what stands in quotation marks is one word. */
function wordsOf(query: string): string[] {
  return query.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []
}

function fieldsFor(facet: Facet, value: string): string[] {
  if (facet === 'year') return [`after:${value}`, `before:${following(value)}`]
  return [`${fieldOf[facet]}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`]
}

/** The year after a year (`2024`), or the month after a month (`2024-05`). */
function following(period: string): string {
  const [year = 0, month] = period.split('-').map(Number)
  const isLast = month === undefined || month === 12
  const next = String(isLast ? year + 1 : year).padStart(4, '0')
  return month === undefined ? next : `${next}-${String(isLast ? 1 : month + 1).padStart(2, '0')}`
}

/** Whether the query asks for this value of a facet. */
export function hasValue(query: string, facet: Facet, value: string): boolean {
  const words = wordsOf(query).map((word) => word.toLowerCase())
  return fieldsFor(facet, value).every((field) => words.includes(field.toLowerCase()))
}

/** Adds a value of a facet to the query, or removes it. Of years, a query has one, as every other period. */
export function toggleValue(query: string, facet: Facet, value: string): string {
  const fields = fieldsFor(facet, value)
  const lower = fields.map((field) => field.toLowerCase())
  const isRemoved = hasValue(query, facet, value)
  const isPeriod = (word: string) => facet === 'year' && /^(after|before):/i.test(word)
  const others = wordsOf(query).filter((word) => !lower.includes(word.toLowerCase()) && !isPeriod(word))
  return [...others, ...(isRemoved ? [] : fields)].join(' ')
}
