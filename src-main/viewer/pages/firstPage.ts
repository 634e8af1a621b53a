/** Where to begin in a view of which no seeds are known: at its first page, which is the one with the shortest address. */
import type { CaptureIndex } from '../../indexes/indexes.ts'
import type { Clock } from '../../world/world.ts'
import { growingPollMs, growingPageWaitMsMax } from '../model/limits.ts'

/** Waits for a while as long as the index grows and has none. */
export async function firstPage(
  index: CaptureIndex,
  { clock, isShown }: { clock: Clock; isShown: (url: string) => boolean },
): Promise<string | undefined> {
  const untilMs = clock.elapsed() + growingPageWaitMsMax
  const look = async () => (await index.pages({ text: '', limit: 1, isShown }))[0]?.url
  let isLast = !index.isGrowing
  let found = await look()
  // In this order: when it has become whole there may be more than at the last look.
  while (found === undefined && !isLast && clock.elapsed() < untilMs) {
    await clock.sleep(growingPollMs)
    isLast = !index.isGrowing
    found = await look()
  }
  return found
}
