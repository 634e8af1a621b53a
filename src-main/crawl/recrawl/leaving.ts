/** Documents leave the list of a job that goes on, and with them what they led to and what they said of others: who inherited
 *  from them is looked at again. */
import type { HarvestDefinition } from '../../contract/contract.ts'
import type { Store } from '../../storage/storage.ts'
import { inheritanceOf } from '../carried/inheritance.ts'
import { openRange } from '../hops/range.ts'
import { removalFrom, type RemovalReason, type Taken } from './removal.ts'

export interface LeavingSetting {
  store: Store
  job: number
  definition: HarvestDefinition
}

/** Inside a transaction. Returns the addresses of those that wait again because of it. */
export function leave(
  { store, job, definition }: LeavingSetting,
  documents: readonly Pick<Taken, 'id' | 'url'>[],
  why: RemovalReason,
  nowMs: number,
): string[] {
  // All of them before anybody hears of it: one that leaves too has nothing to be looked at for.
  removalFrom(store).remove(documents, why, nowMs)
  const urls = documents.map(({ url }) => url)
  openRange(store, job, definition)?.forget(urls)
  const inheritance = inheritanceOf(store, job)
  return urls.flatMap((url) => inheritance.replace(url, [], nowMs))
}
