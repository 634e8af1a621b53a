/** Divides all captures of one URL into parts, oldest first, for lists that must be complete. A part is as long as the longest
 *  page of a query. */
import type { captureStatements } from './captureIndex.sql.ts'
import { pageBlocksMax } from '../model/limits.ts'
import type { queryBlocks } from './queryBlocks.ts'
import { between, cursorIn, queryRangesOf } from './queryRange.ts'

/** A part, with `after` and `until` for a query. */
export interface CapturesPart {
  after: string
  until?: string
  /** Time of the first capture and of the last. */
  fromMs: number
  toMs: number
}

interface Parts {
  statements: Pick<ReturnType<typeof captureStatements>, 'ahead' | 'backward'>
  blocks: ReturnType<typeof queryBlocks>
}

/** Returns the parts of a URL; none when it has no captures. */
export async function captureParts({ statements, blocks }: Parts, url: string): Promise<CapturesPart[]> {
  const asked = { url, matchType: 'exact' } as const
  const starts = (await blocks(asked)).filter((_, at) => at % pageBlocksMax === 0)
  return starts.flatMap((after, at) => {
    const until = starts[at + 1]
    const bounds = until === undefined ? { after } : { after, until }
    const [from] = cursorIn(after, 1)
    const [range] = queryRangesOf({ ...asked, ...bounds })
    if (from === undefined || range === undefined) return []
    const rows = between(from, range.to)
    const [oldest, newest] = [
      statements.ahead.get({ ...rows, rows: 0 }),
      statements.backward.get({ ...rows, limit: 1 }),
    ]
    return oldest && newest ? [{ ...bounds, fromMs: oldest.timestampMs, toMs: newest.timestampMs }] : []
  })
}
