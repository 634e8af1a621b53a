/** Selects the queued documents of a job that match the user's selection. Read-only. It scans the whole queue, which may hold
 *  millions, so the server calls it in a separate thread. */
import { firstUrlsMax, type Selection } from '../../contract/services/live.ts'
import { patternsOf } from '../model/patterns.ts'
import type { Store } from '../../storage/storage.ts'
import { batchRows } from './limits.ts'
import { liveStatements } from './live.sql.ts'

/** The selected documents. */
export interface Chosen {
  /** Documents that wait. */
  ids: number[]
  /** Documents in progress. */
  heldIds: number[]
  /** URLs of the first waiting documents (`first`) and of the first in progress (`heldFirst`), at most `firstUrlsMax` each. */
  first: string[]
  heldFirst: string[]
}

/** Scans the queue. */
export function choose(store: Store, job: number, { pattern, host }: Selection): Chosen {
  const { waiting, inProgress } = liveStatements(store)
  const patterns = pattern === undefined ? undefined : patternsOf([pattern])
  const matches = (url: string) =>
    (!patterns || patterns.matchedBy(url) !== undefined) && (host === undefined || URL.parse(url)?.hostname === host)
  const ids: number[] = []
  const first: string[] = []
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows = waiting.all({ job, after, limit: batchRows })
    for (const { id, url } of rows) {
      if (!matches(url)) continue
      ids.push(id)
      if (first.length < firstUrlsMax) first.push(url)
    }
    after = rows.length < batchRows ? undefined : rows.at(-1)?.id
  }
  const held = inProgress.all({ job }).filter(({ url }) => matches(url))
  const heldFirst = held.slice(0, firstUrlsMax).map(({ url }) => url)
  return { ids, heldIds: held.map(({ id }) => id), first, heldFirst }
}
