/** Reads a query as people type it: words, "phrases", beginnings*, -not, OR between two words, and fields. Pure. What cannot be meant is one
 *  sentence; what may be a mistake is a finding. */
import { message, type Message } from '../../../contract/words/message.ts'
import { nearest } from '../../../contract/text/nearest.ts'
import { wordsOf } from '../words/searchable.ts'
import { fieldFilter, queryFields, type QueryFilter } from './queryFields.ts'

/** A word, the beginning of one, or several words in this order. */
export interface Term {
  words: readonly string[]
  /** Whether the last word is only its beginning. */
  isPrefix: boolean
}

/** What is searched for. */
export interface TextQuery {
  /** A document has a term of each group. */
  groups: readonly (readonly Term[])[]
  /** It has none of these. */
  excluded: readonly Term[]
  filters: readonly QueryFilter[]
}

/** A query, or why it is none. */
export type QueryRead = { query: TextQuery; findings: Message[] } | { fault: Message }

const queryCharactersMax = 1_000
const termsMax = 32

/** A minus sign, a field, and a phrase or a word. The parts exclude each other, so that reading takes linear time. */
const item = /(-?)(?:([a-z]+):(?![\s:]|\/\/))?(?:"([^"]*)("?)|([^\s"]+))|-?"/giu

export function parseQuery(text: string): QueryRead {
  if (text.length > queryCharactersMax)
    return { fault: message('search.query.long', { charactersMax: queryCharactersMax }) }
  const groups: Term[][] = []
  const excluded: Term[] = []
  const filters: QueryFilter[] = []
  const findings: Message[] = []
  let isAlternative = false
  for (const [whole, minus, name = '', phrase, closing, word] of text.matchAll(item)) {
    const isExcluded = minus === '-'
    const field = queryFields.find((known) => known === name.toLowerCase())
    if (whole === 'OR') {
      if (isAlternative || groups.length === 0) return { fault: message('search.query.or') }
      isAlternative = true
      continue
    }
    if (phrase !== undefined && closing === '') findings.push(message('search.query.quote'))
    if (field) {
      if (isAlternative) return { fault: message('search.query.orField', { field }) }
      const filter = fieldFilter(field, phrase ?? word ?? '', isExcluded)
      if ('fault' in filter) return filter
      filters.push(filter)
      continue
    }
    const meant = name === '' ? undefined : nearest(name.toLowerCase(), [...queryFields])
    if (meant !== undefined) findings.push(message('search.query.field', { name, meant }))
    const term = termOf(phrase ?? `${name === '' ? '' : `${name}:`}${word ?? ''}`, phrase === undefined)
    if (!term) continue
    if (isExcluded) excluded.push(term)
    else if (isAlternative) groups.at(-1)?.push(term)
    else groups.push([term])
    isAlternative = false
  }
  if (isAlternative) return { fault: message('search.query.or') }
  if (groups.length === 0 && filters.length === 0)
    return { fault: message(excluded.length > 0 ? 'search.query.onlyNot' : 'search.query.empty') }
  if (groups.length === 0 && excluded.length > 0) return { fault: message('search.query.onlyNot') }
  if (groups.flat().length + excluded.length > termsMax) return { fault: message('search.query.terms', { termsMax }) }
  return { query: { groups, excluded, filters }, findings }
}

function termOf(text: string, mayBePrefix: boolean): Term | undefined {
  const words = wordsOf(text)
  return words.length === 0 ? undefined : { words, isPrefix: mayBePrefix && text.endsWith('*') }
}

/** Returns the expression of FTS5 for the words of a query; undefined where it has none. Words are letters and digits only. */
export function matchExpression({ groups, excluded }: Pick<TextQuery, 'groups' | 'excluded'>): string | undefined {
  if (groups.length === 0) return undefined
  const all = groups.map((terms) => `(${terms.map(expressionOf).join(' OR ')})`).join(' AND ')
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.map(expressionOf).join(' OR ')})`
}

function expressionOf({ words, isPrefix }: Term): string {
  return `"${words.join(' ')}"${isPrefix ? ' *' : ''}`
}
