/** Which waiting documents of a job a person means. It only reads. It goes through the whole queue, which may hold millions, so
 *  whoever answers people calls it in a thread of its own. */
import { firstUrlsMax, type Selection } from '../../contract/services/live.ts'
import { patternsOf } from '../model/patterns.ts'
import type { Store } from '../../storage/storage.ts'
import { batchRows } from './limits.ts'
import { liveStatements } from './live.sql.ts'

export interface Chosen {
  ids: number[]
  /** Of what is in hands. */
  heldIds: number[]
  /** Addresses of the first that wait, and that are in hands: at most `firstUrlsMax` of each. */
  first: string[]
  heldFirst: string[]
}

export function choose(store: Store, job: number, { pattern, host }: Selection): Chosen {
  const { waiting, inHands } = liveStatements(store)
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
  const held = inHands.all({ job }).filter(({ url }) => matches(url))
  const heldFirst = held.slice(0, firstUrlsMax).map(({ url }) => url)
  return { ids, heldIds: held.map(({ id }) => id), first, heldFirst }
}
