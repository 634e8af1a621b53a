/** Searches in a text index, one at a time, in a thread of their own that keeps the index open and is ended when a search takes too long. */
import { Fault } from '../../contract/calls/faults.ts'
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import { message } from '../../contract/words/message.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import { unlessAborted } from '../../world/unlessAborted.ts'
import type { OwnThread, World } from '../../world/world.ts'
import type { MatchedCapture } from '../model/matchedCapture.ts'
import type { Found, FoundWords, SearchAsked, Searched } from './query/searchIndex.ts'
import type { SearchInput, SearchOutput } from './searchText.thread.ts'

/** Searches. They reject with `Fault` badInput if the query has no meaning, and with `Fault` stopped if they take too long. */
export interface TextSearches {
  search(asked: SearchAsked): Promise<Found>
  /** The words that tell most about the best results, at most `limit`. */
  words(asked: Searched & { limit: number }): Promise<FoundWords>
  /** The captures of all contents that a query finds, newest first, at most `limit`. */
  captures(asked: Searched & { limit: number }): Promise<MatchedCapture[]>
}

interface Parts {
  /** Path of the index. */
  index: string
  world: World
  /** Stops all searches. */
  signal: AbortSignal
}

/** Time for one query; a usual one takes some milliseconds. */
const searchMsMax = 20_000
const searchHeapBytesMax = 1024 * 1024 * 1024
/** Time that a search has to end by itself: SQLite cannot be interrupted, and the thread is ended. */
const searchStopMsMax = 50

/** `over` resolves when nothing is searched. */
export function textSearches({ index, world, signal }: Parts): TextSearches & { over(): Promise<void> } {
  const searching = oneAtATime()
  let thread: OwnThread | undefined
  signal.addEventListener('abort', () => thread?.close(), { once: true })

  async function searched(input: SearchInput): Promise<Exclude<SearchOutput, { fault: unknown }>> {
    signal.throwIfAborted()
    if (!thread || thread.ended)
      thread = world.threads.own({ heapBytesMax: searchHeapBytesMax, stopMsMax: searchStopMsMax })
    const running = thread
    const slow = new AbortController()
    const done = new AbortController()
    void sleepUnlessAborted(world.clock, searchMsMax, done.signal).then(() => {
      if (!done.signal.aborted) slow.abort(new Fault('stopped', message('search.slow')))
    })
    try {
      const module = new URL('./searchText.thread.ts', import.meta.url)
      const found = await unlessAborted(
        running.run<SearchInput, SearchOutput>(module, input, { signal: slow.signal }),
        signal,
      )
      if ('fault' in found) throw new Fault('badInput', found.fault)
      return found
    } finally {
      done.abort()
    }
  }

  async function search(page: SearchAsked): Promise<Found> {
    const answer = await searched({ index, page })
    if (!('found' in answer)) throw new Error('a search gave no results')
    return answer.found
  }

  async function words(asked: Searched & { limit: number }): Promise<FoundWords> {
    const answer = await searched({ index, words: asked })
    if (!('words' in answer)) throw new Error('a search gave no words')
    return answer.words
  }

  async function captures(asked: Searched & { limit: number }): Promise<MatchedCapture[]> {
    const answer = await searched({ index, captures: asked })
    if (!('captures' in answer)) throw new Error('a search gave no captures')
    return answer.captures.map(({ url, capturedMs: timestampMs, file: filename, offset }) => {
      return { url, timestampMs, filename, offset }
    })
  }

  return {
    search: (asked) => searching(() => search(asked)),
    words: (asked) => searching(() => words(asked)),
    captures: (asked) => searching(() => captures(asked)),
    over: async () => void (await searching(() => undefined)),
  }
}
