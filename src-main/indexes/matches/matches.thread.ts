/** Finds the captures of a search and what their pages need, in the index of the whole archive. */
import type { Task } from '../../world/world.ts'
import { shownCaptures } from '../../formats/cdx/captureRules.ts'
import { wholeIndexOver, type CaptureIndex } from '../captures/captureIndex.ts'
import { keptIn, openComplete } from '../captures/manifest.ts'
import { partOf } from '../captures/partIndex.ts'
import { withStore } from '../databases/withStore.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import type { MatchedCapture } from '../model/matchedCapture.ts'
import { matchedMax, urlsAtOnce } from '../model/limits.ts'
import { recordReading } from './embedded.ts'
import { Gathering } from './gathering.ts'
import type { Matches, MatchesInput, TooManyMatches } from './matches.ts'

export const task: Task<MatchesInput, Matches | TooManyMatches> = ({ world, signal }, input) =>
  withStore(openComplete(input.database), async (store) => {
    const kept = keptIn(store)
    if (kept === undefined) throw new Error(`${input.database} lost its manifest`)
    const { copies, shownBy, wanted } = input
    const shown = shownCaptures(shownBy)
    const index = partOf(wholeIndexOver(store, { kept, world }), shown.capture)
    const records = recordReading(world, copies)
    const isUsable = (capture: IndexedCapture) => copies.has(capture.filename) && shown.capture(capture)
    const gathering = new Gathering({ index, records, isUsable, signal })
    let [count, unavailable] = [0, 0]
    const add = async (capture: MatchedCapture, duplicate?: IndexedCapture) => {
      count += 1
      if (!copies.has(capture.filename)) unavailable += 1
      else if (count <= matchedMax) await gathering.add(capture, duplicate)
    }
    try {
      if ('captures' in wanted) for (const capture of wanted.captures) await add(capture)
      else
        for await (const capture of capturesOf(index, wanted)) {
          await add(capture, capture.recordType === 'duplicate' ? capture : undefined)
          if (count > matchedMax) break
        }
    } finally {
      await records.close()
    }
    return count > matchedMax ? { countMax: matchedMax } : { ...gathering.result, unavailable }
  })

/** Yields the captures of the URLs that a search finds. */
async function* capturesOf(
  index: Pick<CaptureIndex, 'urls' | 'captures'>,
  { query: text, match, jobs }: Exclude<MatchesInput['wanted'], { captures: unknown }>,
): AsyncGenerator<IndexedCapture> {
  const isOfJobs = (job: number | null) => jobs === undefined || (job !== null && jobs.includes(job))
  for (let after: string | undefined; ;) {
    const page = await index.urls({ text, match, limit: urlsAtOnce, ...(after !== undefined && { after }) })
    for (const { url } of page.urls) for (const capture of index.captures(url)) if (isOfJobs(capture.job)) yield capture
    if (page.next === undefined) return
    after = page.next
  }
}
