/** Searches in a thread of its own, which keeps the index open between two queries. */
import type { Message } from '../../contract/words/message.ts'
import type { TaskContext } from '../../world/world.ts'
import { openTextStore } from './store/textStore.ts'
import { textSearcher, type Found, type SearchAsked, type TextSearcher } from './query/searchIndex.ts'

export interface SearchInput extends SearchAsked {
  /** Path of the index. */
  index: string
}

let open: { index: string; searcher: TextSearcher } | undefined

export function task(_: TaskContext<never>, { index, ...asked }: SearchInput): Promise<Found | { fault: Message }> {
  if (open?.index !== index) open = { index, searcher: textSearcher(openTextStore(index)) }
  return Promise.resolve(open.searcher.search(asked))
}
