/** Judges addresses by the rules of a person, in a thread with a time limit. A rule that takes too long is found and given up,
 *  so that one bad expression holds up neither the harvest nor the other rules. */
import type { OwnThread, World } from '../../world/world.ts'
import { judgeHeapBytesMax, judgeMsMax, stopMsMax } from './limits.ts'
import type { UrlsToJudge } from './judgeUrls.thread.ts'

export interface Judging {
  /** For each address the rule that rejects it, or null. */
  judge(patterns: readonly string[], urls: readonly string[]): Promise<(string | null)[]>
  close(): void
}

const module = new URL('./judgeUrls.thread.ts', import.meta.url)

export function judgingIn(world: World, onTooSlow: (pattern: string) => void): Judging {
  let thread: OwnThread | undefined
  let last: Promise<unknown> = Promise.resolve()
  const tooSlow = new Set<string>()

  /** Undefined when the time was over. */
  async function inTime(input: UrlsToJudge): Promise<(string | null)[] | undefined> {
    if (!thread || thread.ended) thread = world.threads.own({ heapBytesMax: judgeHeapBytesMax, stopMsMax })
    const mine = thread
    const done = new AbortController()
    const made = mine.run<UrlsToJudge, (string | null)[]>(module, input)
    made.catch(() => undefined)
    const over = world.clock.sleep(judgeMsMax, done.signal).then(
      () => {
        mine.close()
        return undefined
      },
      // It was judged in time.
      () => made,
    )
    try {
      return await Promise.race([made, over])
    } finally {
      done.abort()
    }
  }

  async function judgeNow(given: readonly string[], urls: readonly string[]): Promise<(string | null)[]> {
    for (;;) {
      const patterns = given.filter((pattern) => !tooSlow.has(pattern))
      if (patterns.length === 0) return urls.map(() => null)
      const judged = await inTime({ patterns, urls })
      if (judged) return judged
      await giveUpSlowest(patterns, urls)
    }
  }

  /** Each alone; when none of them is slow alone, the last is the least loss. */
  async function giveUpSlowest(patterns: readonly string[], urls: readonly string[]): Promise<void> {
    for (const pattern of patterns) {
      const isLast = pattern === patterns.at(-1)
      if (!isLast && (await inTime({ patterns: [pattern], urls })) !== undefined) continue
      tooSlow.add(pattern)
      return onTooSlow(pattern)
    }
  }

  return {
    judge(patterns, urls) {
      if (patterns.length === 0 || urls.length === 0) return Promise.resolve(urls.map(() => null))
      const judged = last.then(() => judgeNow(patterns, urls))
      last = judged.catch(() => undefined)
      return judged
    },
    close: () => thread?.close(),
  }
}
