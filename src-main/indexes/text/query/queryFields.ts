/** Fields of a query: `host:`, `type:`, `before:`, `after:`, `job:`, `status:`, `lang:`, `url:`. Pure. */
import { message, type Message } from '../../../contract/words/message.ts'

export const queryFields = ['host', 'type', 'before', 'after', 'job', 'status', 'lang', 'url'] as const
export type QueryField = (typeof queryFields)[number]

/** Which captures are searched. Several of one field: any of them; excluded ones: none of them. */
export type QueryFilter = { isExcluded: boolean } & (
  | { field: 'host' | 'lang' | 'url'; value: string }
  /** Media types; one that ends with `/` stands for all that begin like it. */
  | { field: 'type'; types: readonly string[] }
  /** From `fromMs` on, and before `toMs`. */
  | { field: 'time'; fromMs: number; toMs: number }
  | { field: 'job'; job: number }
  | { field: 'status'; from: number; to: number }
)

/** Short names of media types. */
const typeNames: Readonly<Record<string, readonly string[]>> = {
  html: ['text/html', 'application/xhtml+xml'],
  pdf: ['application/pdf', 'application/x-pdf'],
  text: ['text/plain', 'text/markdown', 'text/x-markdown', 'text/csv'],
  feed: ['application/rss+xml', 'application/atom+xml', 'application/rdf+xml', 'application/xml', 'text/xml'],
}

/** Reads the value of a field. */
export function fieldFilter(field: QueryField, value: string, isExcluded: boolean): QueryFilter | { fault: Message } {
  const text = value.trim().toLowerCase()
  if (text === '') return { fault: message('search.query.noValue', { field }) }
  switch (field) {
    case 'host':
      return { isExcluded, field, value: text.replace(/^(www|\*)\./, '') }
    case 'lang':
      return { isExcluded, field, value: text.replaceAll('_', '-') }
    case 'url':
      return { isExcluded, field, value: text.replace(/^\*|\*$/g, '') }
    case 'type':
      return { isExcluded, field, types: typeNames[text] ?? [text.replace(/\*$/, '')] }
    case 'job':
      return /^\d{1,9}$/.test(text)
        ? { isExcluded, field, job: Number(text) }
        : { fault: message('search.query.job', { value }) }
    case 'status':
      return statusFilter(text, isExcluded) ?? { fault: message('search.query.status', { value }) }
    case 'before':
    case 'after':
      return timeFilter(field, text, isExcluded) ?? { fault: message('search.query.date', { field, value }) }
  }
}

/** Reads `404` and `4xx`. */
function statusFilter(text: string, isExcluded: boolean): QueryFilter | undefined {
  const [, first = '', rest = ''] = /^([1-5])(\d\d|xx)$/.exec(text) ?? []
  if (first === '') return undefined
  const hundred = Number(first) * 100
  const [from, to] = rest === 'xx' ? [hundred, hundred + 99] : [hundred + Number(rest), hundred + Number(rest)]
  return { isExcluded, field: 'status', from, to }
}

/** Reads a year, a month or a day in UTC: `before` ends before it, and `after` begins with it. */
function timeFilter(field: 'before' | 'after', text: string, isExcluded: boolean): QueryFilter | undefined {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? []
  const ms = year === undefined ? NaN : Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  // Date.parse takes the 31st of February for the 3rd of March.
  if (Number.isNaN(ms) || new Date(ms).getUTCDate() !== Number(day)) return undefined
  const [fromMs, toMs] = field === 'after' ? [ms, Number.MAX_SAFE_INTEGER] : [Number.MIN_SAFE_INTEGER, ms]
  return { isExcluded, field: 'time', fromMs, toMs }
}
