/** Misses that users add: URLs that a job lacks, or captured badly. */
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { missesPerJobMax } from '../model/limits.ts'
import { reasonIn } from './missReason.ts'
import { missStatements } from './misses.sql.ts'
import { missNoter } from './noteMiss.ts'

interface Parts {
  store: Store
  world: Pick<World, 'clock'>
  jobs: Pick<Jobs, 'summary' | 'fateOf'>
}

/** URLs that a user adds. */
export interface AddedUrls {
  job: number
  urls: readonly string[]
  /** The page that wants them; '' where there is none. */
  page: string
}

/** Returns a function that adds URLs to the misses of a job, in one transaction, and returns their number. It throws `Fault` notFound
 *  without such a job, badInput for what is no URL of the Web, and refused where the job can have no more misses. */
export function missAdding({ store, world, jobs }: Parts): (added: AddedUrls) => number {
  const note = missNoter(store)
  const sql = missStatements(store)

  return ({ job, urls, page }) =>
    store.transaction(() => {
      const { kind } = jobs.summary(job)
      const wanted = [...new Set(urls.map(webUrl))]
      const wantedBy = page === '' ? '' : webUrl(page)
      if ((sql.countOf.get({ job })?.misses ?? 0) + wanted.length > missesPerJobMax)
        throw new Fault('refused', message('miss.full', { job, most: missesPerJobMax }))
      const nowMs = world.clock.now()
      note(
        wanted.map((url) => {
          const fate = jobs.fateOf(job, url)
          const reason = fate.is === 'captured' ? 'recapture' : reasonIn(fate, kind)
          const seen = { type: '', source: 'user' as const, firstMs: nowMs, lastMs: nowMs, times: 1 }
          return { job, url, page: wantedBy, reason, ...seen, isMissedAgain: () => true }
        }),
      )
      return wanted.length
    })
}

/** Returns the canonical form of a URL that a harvest can fetch. */
function webUrl(text: string): string {
  const url = canonicalUrl(text)
  if (url === undefined || !/^https?:/.test(url)) throw new Fault('badInput', message('miss.url', { url: text }))
  return url
}
