/** The order of results. BM25 alone puts long pages behind short ones, also where their title says that they are what was searched for. So the
 *  best by BM25, and those with all words in their title, are ordered again by both: how well the text fits, and how much of the query the
 *  title has and of the title the query. docs/decisions/text-index.md has what it was measured with. Pure. */
import { wordsOf } from '../words/searchable.ts'
import type { TextQuery } from './parseQuery.ts'

/** Weights of title and first heading, other headings, description, and text. */
export const columnWeights = [50, 5, 5, 1] as const
/** Results of each kind that are ordered again. */
export const reorderedMax = 200
/** Weight of the title, and of its share that the query is. A text that fits best counts 1. */
const titleWeight = 2
const titleShareWeight = 2

/** A result of BM25, where better is lower. */
export interface Scored {
  id: number
  score: number
}

/** Returns the expression for documents that have all words of the query in their title; undefined where no words are searched for. */
export function titleExpression(query: TextQuery, match: string): string | undefined {
  const words = distinctWords(query)
  if (words.length === 0) return undefined
  return `(${match}) AND {title}: (${words.map((word) => `"${word}"`).join(' AND ')})`
}

/** Returns the ids in their final order. Equal ones are in the order of their ids. `titlesOf` gives the titles of some of them. */
export function reordered(
  query: TextQuery,
  { best, titled }: { best: readonly Scored[]; titled: readonly Scored[] },
  titlesOf: (ids: readonly number[]) => ReadonlyMap<number, string>,
): number[] {
  const words = new Set(distinctWords(query))
  const top = best[0]?.score ?? -1
  const candidates = new Map([...best.slice(0, reorderedMax), ...titled].map(({ id, score }) => [id, score]))
  const titles = titlesOf([...candidates.keys()])
  const titleFitOf = (id: number) => titleFit(wordsOf(titles.get(id) ?? ''), words)
  const fits = [...candidates].map(([id, score]) => ({ id, fit: score / top + titleFitOf(id) }))
  fits.sort((a, b) => b.fit - a.fit || a.id - b.id)
  const rest = best.slice(reorderedMax).filter(({ id }) => !candidates.has(id))
  return [...fits, ...rest].map(({ id }) => id)
}

function titleFit(title: readonly string[], words: ReadonlySet<string>): number {
  if (title.length === 0 || words.size === 0) return 0
  const found = title.filter((word) => words.has(word))
  const share = found.length / title.length
  return titleWeight * (new Set(found).size / words.size) * (1 + titleShareWeight * share)
}

function distinctWords({ groups }: TextQuery): string[] {
  return [...new Set(groups.flat().flatMap(({ words }) => words))]
}
