/** Adds one URL to the misses of jobs because a user says so. */
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import { keyOf } from '../../crawl/model/urlKeys.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { missStatements } from './misses.sql.ts'
import { reasonIn } from './missReason.ts'
import { missNoter } from './noteMiss.ts'

interface Parts {
  store: Store
  world: Pick<World, 'clock'>
  jobs: Pick<Jobs, 'summary' | 'fateOf'>
}

/** Returns a function that adds the URL and returns the number of its miss; one that was solved is open again. Throws `Fault`: notFound without
 *  such a job, badInput for a text that is no URL of the Web, refused if the job has captured it or has too many misses. */
export function missAdder({ store, world, jobs }: Parts): (job: number, url: string) => number {
  const sql = missStatements(store)
  const note = missNoter(store)
  return (job, url) =>
    store.transaction(() => {
      const { kind } = jobs.summary(job)
      const identity = /^https?:/i.test(url) ? canonicalUrl(url) : undefined
      if (identity === undefined) throw new Fault('badInput', message('miss.add.url', { url }), { fields: [['url']] })
      const fate = jobs.fateOf(job, url)
      if (fate.is === 'captured') throw new Fault('refused', message('miss.add.captured', { job }))
      const nowMs = world.clock.now()
      note([
        {
          ...{ job, url, page: '', type: 'document', source: 'browsing', reason: reasonIn(fate, kind) },
          ...{ firstMs: nowMs, lastMs: nowMs, times: 1, isMissedAgain: () => true },
        },
      ])
      const added = sql.known.get({ job, key: keyOf(identity) })
      if (!added) throw new Fault('refused', message('miss.add.full', { job }))
      return added.id
    })
}
