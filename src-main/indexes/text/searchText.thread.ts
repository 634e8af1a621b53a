/** Searches in a thread of its own, which keeps the index open between two queries. */
import type { Message } from '../../contract/words/message.ts'
import type { TaskContext } from '../../world/world.ts'
import { openTextStore } from './store/textStore.ts'
import {
  textSearcher,
  type Found,
  type FoundWords,
  type SearchAsked,
  type Searched,
  type TextSearcher,
} from './query/searchIndex.ts'
import type { CaptureOfFound } from './query/search.sql.ts'

/** A page of results, the words of the best, or the captures of all of them. */
export type SearchInput = {
  /** Path of the index. */
  index: string
} & ({ page: SearchAsked } | { words: Searched & { limit: number } } | { captures: Searched & { limit: number } })

/** What was found, or why the query has no meaning. */
export type SearchOutput =
  | { found: Found }
  | { words: FoundWords }
  | { captures: CaptureOfFound[] }
  | { fault: Message }

let open: { index: string; searcher: TextSearcher } | undefined

export async function task(_: TaskContext<never>, input: SearchInput): Promise<SearchOutput> {
  if (open?.index !== input.index) open = { index: input.index, searcher: textSearcher(openTextStore(input.index)) }
  if ('captures' in input) {
    const captures = open.searcher.captures(input.captures)
    return 'fault' in captures ? captures : { captures }
  }
  if ('words' in input) {
    const words = open.searcher.words(input.words)
    return 'fault' in words ? words : { words }
  }
  const found = open.searcher.search(input.page)
  return 'fault' in found ? found : { found }
}
