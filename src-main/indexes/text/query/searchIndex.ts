/** Searches a text index: ranked results with snippets, the number of all, facets, and a better spelling. */
import type { Message } from '../../../contract/words/message.ts'
import type { CaptureRule } from '../../../formats/cdx/captureRules.ts'
import type { Store } from '../../../storage/storage.ts'
import { unpackText } from '../store/packedText.ts'
import { conditionOf, type Condition } from './conditions.ts'
import { countFacets, countMonths, type FacetCount, type Facets } from './facets.ts'
import { frequentWords, type FrequentWord } from './frequentWords.ts'
import { matchExpression, parseQuery, type TextQuery } from './parseQuery.ts'
import { reordered, reorderedMax, titleExpression } from './ranking.ts'
import {
  capturesStatement,
  searchStatements,
  textReadStatements,
  type CaptureOfFound,
  type FoundRow,
} from './search.sql.ts'
import { snippetOf, type SnippetPart } from './snippet.ts'
import { correctedQuery, queryText } from './suggestion.ts'

/** Which captures are searched for which query. */
export interface Searched {
  query: string
  /** Only these jobs; absent: all. */
  jobs?: readonly number[]
  /** Rules that hide captures from who searches; absent: none. */
  shownBy?: readonly CaptureRule[]
}

/** Results whose texts are read for their words. */
const wordsReadMax = 200

/** What is searched for. */
export interface SearchAsked extends Searched {
  offset: number
  limit: number
  withFacets: boolean
}

/** A content that was found. */
export interface FoundContent extends Omit<FoundRow, 'description' | 'body'> {
  snippet: SnippetPart[]
}

export interface Found {
  total: number
  results: FoundContent[]
  facets: Facets | undefined
  /** With the facets: contents by the months of their captures. */
  months: FacetCount[] | undefined
  /** The query with words that the index has, where it would find something. */
  suggestion: string | undefined
  findings: Message[]
}

/** Results that can be paged through: more are not read, and they are kept in their order. */
const rankedMax = 1_000
/** Orders that are kept for further pages. */
const ordersKeptMax = 32
/** Captures that facets count. */
const facetCapturesMax = 500_000
/** Words that are compared with a misspelled one: a twentieth of the words of half a million pages begin with the same letter. */
const comparedWordsMax = 100_000
/** Results below which another spelling is looked for. */
const fewResults = 3

/** Words of the results. */
export interface FoundWords {
  words: FrequentWord[]
  /** Results whose texts were read: the best ones. */
  read: number
}

/** A text index that is searched. */
export interface TextSearcher {
  search(asked: SearchAsked): Found | { fault: Message }
  /** The words that tell most about the best results, and how many of these were read. */
  words(asked: Searched & { limit: number }): FoundWords | { fault: Message }
  /** The captures of all contents that are found, newest first, at most `limit`. */
  captures(asked: Searched & { limit: number }): CaptureOfFound[] | { fault: Message }
}

/** Makes a searcher. It keeps the order of the last queries, so that further pages continue the first one while documents are added. */
export function textSearcher(store: Store): TextSearcher {
  const sql = textReadStatements(store)
  const orders = new Map<string, readonly number[]>()

  function conditionFor({ filters }: TextQuery, { jobs, shownBy }: Searched): Condition | undefined {
    const ofJobs = jobs?.map((job) => ({ field: 'job' as const, job, isExcluded: false })) ?? []
    const isAnyLeaving = sql.anyLeaving.get({}) !== undefined
    return conditionOf([...filters, ...ofJobs], { shownBy, isAnyLeaving })
  }

  /** Returns the best contents in their order. */
  function rank(
    query: TextQuery,
    asked: SearchAsked,
    { ranked, values }: ReturnType<typeof searchStatements>,
  ): number[] {
    const best = ranked.all({ ...values, limit: rankedMax })
    const match = matchExpression(query)
    const inTitle = match === undefined ? undefined : titleExpression(query, match)
    if (inTitle === undefined) return best.map(({ id }) => id)
    const titles = searchStatements(store, { match: inTitle, condition: conditionFor(query, asked) })
    const titled = titles.ranked.all({ ...titles.values, limit: reorderedMax })
    return reordered(
      query,
      { best, titled },
      (ids) =>
        new Map(
          sql.titles.all({ ids: JSON.stringify(ids) }).map(({ id, title, heading }) => [id, `${title}\n${heading}`]),
        ),
    )
  }

  function orderOf(asked: SearchAsked, rank: () => readonly number[]): readonly number[] {
    const key = JSON.stringify([asked.query, asked.jobs, asked.shownBy])
    const kept = asked.offset > 0 ? orders.get(key) : undefined
    const order = kept ?? rank()
    orders.delete(key)
    orders.set(key, order)
    const [oldest] = orders.keys()
    if (orders.size > ordersKeptMax && oldest !== undefined) orders.delete(oldest)
    return order
  }

  /** Returns the corrected query if it finds something among the same captures. */
  function suggestionFor(query: TextQuery, asked: SearchAsked, total: number): string | undefined {
    if (total >= fewResults) return undefined
    const better = correctedQuery(query, {
      has: (word) => sql.isWord.get({ word }) !== undefined,
      beginningWith: (start) => sql.words.all({ from: start, to: after(start), limit: comparedWordsMax }),
    })
    if (!better) return undefined
    const { ranked, values } = searchStatements(store, {
      match: matchExpression(better),
      condition: conditionFor(better, asked),
    })
    return ranked.get({ ...values, limit: 1 }) && [queryText(better), ...writtenFields(asked.query)].join(' ')
  }

  return {
    words({ limit, ...asked }) {
      const read = parseQuery(asked.query)
      if ('fault' in read) return read
      return foundWords(store, { query: read.query, condition: conditionFor(read.query, asked), limit })
    },
    captures({ limit, ...asked }) {
      const read = parseQuery(asked.query)
      if ('fault' in read) return read
      const { query } = read
      const condition = conditionFor(query, asked)
      const { captures, values } = capturesStatement(store, { match: matchExpression(query), condition })
      return captures.all({ ...values, limit })
    },
    search(asked) {
      const read = parseQuery(asked.query)
      if ('fault' in read) return read
      const { query, findings } = read
      const statements = searchStatements(store, {
        match: matchExpression(query),
        condition: conditionFor(query, asked),
      })
      const { values } = statements
      const order = orderOf(asked, () => rank(query, asked, statements))
      const page = order.slice(asked.offset, asked.offset + asked.limit)
      const total = order.length < rankedMax ? order.length : (statements.total.get(values)?.count ?? 0)
      const rows = asked.withFacets ? statements.facets.all({ ...values, limit: facetCapturesMax }) : undefined
      return {
        ...{ total, findings },
        results: statements.found
          .all({ ...withoutMatch(values), ids: JSON.stringify(page) })
          .map((row) => contentOf(row, query)),
        facets: rows && countFacets(rows, (id) => sql.label.get({ id })?.text ?? ''),
        months: rows && countMonths(rows),
        suggestion: suggestionFor(query, asked, total),
      }
    },
  }
}

interface WordsAsked {
  query: TextQuery
  condition: Condition | undefined
  limit: number
}

function foundWords(store: Store, { query, condition, limit }: WordsAsked): FoundWords {
  const sql = textReadStatements(store)
  const { ranked, found, values } = searchStatements(store, { match: matchExpression(query), condition })
  const ids = ranked.all({ ...values, limit: wordsReadMax }).map(({ id }) => id)
  const rows = found.all({ ...withoutMatch(values), ids: JSON.stringify(ids) })
  const texts = rows.map(({ title, body }) => `${title}\n${unpackText(body)}`)
  const index = {
    contents: sql.contents.get({})?.contents ?? 0,
    documentsWith: (word: string) => sql.isWord.get({ word })?.documents ?? 0,
  }
  const queryWords = new Set(query.groups.flat().flatMap((term) => term.words))
  return { words: frequentWords(texts, { queryWords, limit, index }), read: rows.length }
}

function contentOf({ description, body, ...found }: FoundRow, { groups }: TextQuery): FoundContent {
  const text = unpackText(body)
  return { ...found, snippet: snippetOf(text === '' ? description : text, groups.flat()) }
}

/** The statement about found contents has no words to match. */
function withoutMatch({ match: _, ...values }: Record<string, string | number>): Record<string, string | number> {
  return values
}

/** The first text after all that begin with this one. */
function after(start: string): string {
  return start + String.fromCodePoint(0x10ffff)
}

/** Returns the fields of a query as they were written. */
function writtenFields(text: string): string[] {
  return Array.from(
    text.matchAll(/-?\b(?:host|type|before|after|job|status|lang|url):(?:"[^"]*"|[^\s"]+)/gi),
    ([field]) => field,
  )
}
