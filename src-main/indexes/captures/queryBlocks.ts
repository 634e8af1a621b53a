/** Divides a query into blocks of equal size before filters, so that several clients can read its pages at once: the paging of
 *  CDX servers (pywb's `page`, `pageSize`, `showNumPages`). */
import type { captureStatements } from './captureIndex.sql.ts'
import type { CaptureQuery } from './captureQuery.ts'
import { blockQueriesMax, blockRows, blocksAtOnce } from '../model/limits.ts'
import { between, positionOf, queryRangesOf, textOf } from './queryRange.ts'

/** The query that is divided. */
export type BlocksAsked = Pick<CaptureQuery, 'url' | 'matchType' | 'fromMs' | 'toMs'>

/** Returns a function that gives the positions for `after` and `until`. Those of the last queries are remembered, because a client that reads one page reads the
 *  next. */
export function queryBlocks({ ahead }: Pick<ReturnType<typeof captureStatements>, 'ahead'>) {
  const kept = new Map<string, Promise<string[]>>()
  return ({ url, matchType, fromMs, toMs }: BlocksAsked): Promise<string[]> => {
    const name = JSON.stringify([url, matchType, fromMs, toMs])
    const times = { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) }
    const blocks = kept.get(name) ?? read({ url, matchType, ...times })
    kept.delete(name)
    kept.set(name, blocks)
    // The caller gets the error; the next one reads again.
    blocks.catch(() => kept.get(name) === blocks && kept.delete(name))
    const [oldest] = kept.keys()
    if (kept.size > blockQueriesMax && oldest !== undefined) kept.delete(oldest)
    return blocks
  }

  async function read(asked: BlocksAsked): Promise<string[]> {
    const blocks: string[] = []
    for (const { from, to } of queryRangesOf(asked)) {
      if (!ahead.get({ ...between(from, to), rows: 0 })) continue
      for (let at = from; ;) {
        blocks.push(textOf([at]))
        const end = ahead.get({ ...between(at, to), rows: blockRows - 1 })
        if (end === undefined || !ahead.get({ ...between(positionOf(end), to), rows: 0 })) break
        at = positionOf(end)
        if (blocks.length % blocksAtOnce === 0) await new Promise((others) => setImmediate(others))
      }
    }
    return blocks
  }
}
