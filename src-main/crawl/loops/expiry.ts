/** The expiry loop: removes expired documents of continuous jobs from the list. A document that is still linked is found
 *  again; its captures stay. */
import { followAll, type FollowingSetting } from '../settle/hops/following.ts'
import { removedCountMax } from '../model/limits.ts'
import { leave } from '../settle/leaving.ts'
import { removalFrom } from '../settle/removal.ts'
import type { Engine, Loop } from './engine.ts'

/** Interval of the passes; expiry times are configured in seconds. */
const everyMs = 1_000

export function expiryLoop(engine: Engine): Loop {
  const removal = removalFrom(engine.store)
  return {
    name: 'expiry',
    everyMs,
    pass() {
      const nowMs = engine.world.clock.now()
      const unfinished: FollowingSetting[] = []
      const expired = engine.store.transaction(() => {
        const due = removal.expired(nowMs)
        for (const [job, documents] of Map.groupBy(due, (document) => document.job)) {
          const setting = { store: engine.store, job, definition: engine.definitionOf(job) }
          if (!leave(setting, documents, 'expired', nowMs)) unfinished.push(setting)
        }
        return due
      })
      for (const setting of unfinished) followAll(setting, nowMs)
      if (expired.length === 0) return
      // Documents that inherited data from the expired ones may be due.
      engine.turns.news()
      for (const job of new Set(expired.map((document) => document.job))) {
        engine.turns.documentsRemoved(job)
        engine.onChanged(job)
      }
      if (expired.length >= removedCountMax) engine.alarm.ring()
    },
  }
}
