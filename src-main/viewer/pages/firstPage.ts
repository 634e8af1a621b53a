/** Where to begin in a view without known seeds: at the page with the shortest URL. */
import type { CaptureIndex } from '../../indexes/indexes.ts'
import type { Clock } from '../../world/world.ts'
import { growingPollMs, growingPageWaitMsMax } from '../model/limits.ts'

/** The first page. Waits up to `growingPageWaitMsMax` while the index is being built and has none. */
export async function firstPage(
  index: CaptureIndex,
  { clock, isShown }: { clock: Clock; isShown: (url: string) => boolean },
): Promise<string | undefined> {
  const untilMs = clock.elapsed() + growingPageWaitMsMax
  const look = async () => (await index.pages({ text: '', limit: 1, isShown }))[0]?.url
  let isLast = !index.isGrowing
  let found = await look()
  // In this order, because the index may have become complete after the last lookup.
  while (found === undefined && !isLast && clock.elapsed() < untilMs) {
    await clock.sleep(growingPollMs)
    isLast = !index.isGrowing
    found = await look()
  }
  return found
}
