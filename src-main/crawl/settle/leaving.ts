/** Removes documents from the list of a job that continues, with the documents reachable only through them and the data that
 *  they passed on. */
import { inheritanceOf } from './carried/inheritance.ts'
import { followSome, type FollowingSetting } from './hops/following.ts'
import { openRange } from './hops/range.ts'
import type { RemovalReason } from '../model/recheckResults.ts'
import { removalFrom } from './removal.ts'
import type { RemovedDocument } from './removal.sql.ts'

/** Removes documents; called inside a transaction. Returns whether every affected document is up to date; if not, the caller
 *  continues with `followAll`. */
export function leave(
  setting: FollowingSetting,
  documents: readonly Pick<RemovedDocument, 'id' | 'url'>[],
  why: RemovalReason,
  nowMs: number,
): boolean {
  const { store, job, definition } = setting
  // All are removed before any other document is updated: one that is removed too needs no update.
  removalFrom(store).remove(documents, why, nowMs)
  const urls = documents.map(({ url }) => url)
  openRange(store, job, definition)?.forget(urls)
  const inheritance = inheritanceOf(store, job)
  for (const url of urls) inheritance.replace(url, [], nowMs)
  return followSome(setting, nowMs)
}
