/** Filters of the list of generated jobs, as a query of the URL. */
import { generatedStatuses, type GeneratedStatus } from '../../../src-main/contract/states/generatedStatuses.ts'

/** Filters as they are typed; empty: any. */
export interface GeneratedFilter {
  status: GeneratedStatus | ''
  harvest: number | ''
  run: number | ''
  domain: string
  from: number | ''
  to: number | ''
}

/** Names of the filters in the URL that are whole numbers. */
const numberFilters = ['harvest', 'run', 'from', 'to'] as const

export function filterOf(query: string | undefined): GeneratedFilter {
  const given = new URLSearchParams(query)
  const numberOf = (name: string) => {
    const text = given.get(name) ?? ''
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : ''
  }
  return {
    status: generatedStatuses.find((status) => status === given.get('status')) ?? '',
    domain: given.get('domain') ?? '',
    ...{ harvest: numberOf('harvest'), run: numberOf('run'), from: numberOf('from'), to: numberOf('to') },
  }
}

/** What the engine is asked for. */
export function askedOf({ status, domain, ...numbers }: GeneratedFilter) {
  const typed = numberFilters.filter((name) => numbers[name] !== '')
  return {
    ...(status !== '' && { status }),
    ...(domain.trim() !== '' && { domain: domain.trim().toLowerCase() }),
    ...Object.fromEntries(typed.map((name) => [name, Number(numbers[name])])),
  }
}

/** The query of the URL for these filters; empty where nothing is filtered. */
export function queryOf(filter: GeneratedFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}
