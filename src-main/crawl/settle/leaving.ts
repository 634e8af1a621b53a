/** Removes documents from the list of a job that continues, together with what only they led to and the data that they handed
 *  down. */
import { inheritanceOf } from './carried/inheritance.ts'
import { followSome, type FollowingSetting } from './hops/following.ts'
import { openRange } from './hops/range.ts'
import type { RemovalReason } from '../model/recheckResults.ts'
import { removalFrom } from './removal.ts'
import type { RemovedDocument } from './removal.sql.ts'

/** Inside a transaction. Says whether every document stands as its distance says; else `followAll` goes on. */
export function leave(
  setting: FollowingSetting,
  documents: readonly Pick<RemovedDocument, 'id' | 'url'>[],
  why: RemovalReason,
  nowMs: number,
): boolean {
  const { store, job, definition } = setting
  // All of them before anybody hears of it: one that leaves too has nothing to be looked at for.
  removalFrom(store).remove(documents, why, nowMs)
  const urls = documents.map(({ url }) => url)
  openRange(store, job, definition)?.forget(urls)
  const inheritance = inheritanceOf(store, job)
  for (const url of urls) inheritance.replace(url, [], nowMs)
  return followSome(setting, nowMs)
}
