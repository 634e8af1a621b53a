/** Filters of a query as conditions on the captures of an index. Pure. */
import type { CaptureRule } from '../../../formats/cdx/captureRules.ts'
import type { QueryFilter } from './queryFields.ts'

/** A condition of SQL on the table `capture`, with its values. */
export interface Condition {
  sql: string
  values: Readonly<Record<string, string | number>>
}

/** Returns the condition that a capture meets; undefined: any does. */
export function conditionOf(
  filters: readonly QueryFilter[],
  { shownBy = [], isAnyLeaving }: { shownBy?: readonly CaptureRule[] | undefined; isAnyLeaving: boolean },
): Condition | undefined {
  const values: Record<string, string | number> = {}
  let count = 0
  const bound = (value: string | number) => {
    const name = `v${count++}`
    values[name] = value
    return `@${name}`
  }
  const parts: string[] = []
  // Moments narrow each other; other filters of one field widen each other.
  const groups = Map.groupBy(filters, ({ field, isExcluded }) => `${field} ${isExcluded}`)
  for (const [, of] of groups) {
    const sqls = of.map((filter) => sqlOf(filter, bound))
    const isTime = of[0]?.field === 'time'
    const joined = `(${sqls.join(isTime && !of[0]?.isExcluded ? ' AND ' : ' OR ')})`
    parts.push(of[0]?.isExcluded ? `NOT ${joined}` : joined)
  }
  // The slowest comes last.
  if (isAnyLeaving) parts.push('job NOT IN (SELECT job FROM leaving)')
  if (shownBy.length > 0) parts.push(`is_shown(${bound(JSON.stringify(shownBy))}, job, url)`)
  return parts.length === 0 ? undefined : { sql: parts.join(' AND '), values }
}

function sqlOf(filter: QueryFilter, bound: (value: string | number) => string): string {
  const labelled = (column: string, exact: readonly string[], like: readonly string[]) => {
    const is = exact.map((value) => `text = ${bound(value)}`)
    const begins = like.map((pattern) => `text LIKE ${bound(pattern)} ESCAPE '\\'`)
    return `${column} IN (SELECT id FROM label WHERE ${[...is, ...begins].join(' OR ')})`
  }
  switch (filter.field) {
    case 'host':
      return labelled('host_id', [filter.value], [`%.${escaped(filter.value)}`])
    case 'lang':
      return labelled('language_id', [filter.value], [`${escaped(filter.value)}-%`])
    case 'type': {
      const [families, types] = [filter.types.filter(isFamily), filter.types.filter((type) => !isFamily(type))]
      return labelled(
        'type_id',
        types,
        families.map((family) => `${escaped(family)}%`),
      )
    }
    case 'url':
      return `instr(lower(url), ${bound(filter.value)}) > 0`
    case 'time':
      return `captured_ms >= ${bound(filter.fromMs)} AND captured_ms < ${bound(filter.toMs)}`
    case 'job':
      return `job = ${bound(filter.job)}`
    case 'status':
      return `status BETWEEN ${bound(filter.from)} AND ${bound(filter.to)}`
  }
}

function isFamily(type: string): boolean {
  return type.endsWith('/')
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
