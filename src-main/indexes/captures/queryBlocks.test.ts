import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CaptureQuery } from './captureQuery.ts'
import { openIndexes, type CaptureIndex, type IndexedCapture } from '../indexes.ts'
import { blockRows, pageBlocksMax } from '../model/limits.ts'
import { createArchive, type ArchiveFixture, type Row } from '../testing/archiveFixture.ts'
import { queryBlocks, type BlocksAsked } from './queryBlocks.ts'

const startMs = Date.UTC(2020, 0, 1)
const rowsOf = (url: string, count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ url, at: new Date(startMs + at * 1_000).toISOString() }))

/** Rows on either side of where a block ends, and of each of the three ranges that a domain has. */
const hosts = {
  exactly: blockRows,
  oneMore: blockRows + 1,
  two: 2 * blockRows,
  few: 3,
}

describe('blocks of a query', () => {
  let made: ArchiveFixture
  let index: CaptureIndex
  beforeAll(async () => {
    made = await createArchive()
    const rows = Object.entries(hosts).flatMap(([name, count]) => rowsOf(`http://${name}.example/`, count))
    const others = [...rowsOf('http://few.example:8080/', 2), ...rowsOf('http://sub.few.example/a', blockRows + 5)]
    await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [...rows, ...others] })
    const parts = { folder: join(made.folder, 'indexes'), world: made.world, archive: made.archive, tasks: made.tasks }
    index = await (await openIndexes(parts)).captureIndexFor({ jobs: [1] })
  })
  afterAll(async () => {
    index.close()
    await made[Symbol.asyncDispose]()
  })

  async function all(query: Omit<CaptureQuery, 'limit'>): Promise<IndexedCapture[]> {
    const found: IndexedCapture[] = []
    for (let after = query.after; ;) {
      const page = await index.query({ ...query, limit: 100_000, ...(after !== undefined && { after }) })
      found.push(...page.captures)
      if (page.next === undefined) return found
      after = page.next
    }
  }
  /** The captures of each page. Expects that no page needs a second request. */
  async function pages(asked: BlocksAsked, pageBlocks: number): Promise<IndexedCapture[][]> {
    const blocks = await index.blocks(asked)
    const starts = blocks.filter((_, at) => at % pageBlocks === 0)
    return Promise.all(
      starts.map(async (after, at) => {
        const until = starts[at + 1]
        const query = { ...asked, after, ...(until !== undefined && { until }), limit: pageBlocks * blockRows }
        const { captures, next } = await index.query(query)
        // A page that is exactly full cannot know that nothing follows.
        expect(next === undefined || captures.length === query.limit).toBe(true)
        return captures
      }),
    )
  }

  it.each<[what: string, asked: BlocksAsked, blocks: number]>([
    ['exactly one', { url: 'http://exactly.example/', matchType: 'exact' }, 1],
    ['one, and a row', { url: 'http://oneMore.example/', matchType: 'exact' }, 2],
    ['exactly two', { url: 'http://two.example/', matchType: 'exact' }, 2],
    ['few', { url: 'http://few.example/', matchType: 'exact' }, 1],
    ['none', { url: 'http://none.example/', matchType: 'exact' }, 0],
    ['a range of time', { url: 'http://two.example/', matchType: 'exact', fromMs: startMs + 1_000_000 }, 2],
    ['a host', { url: 'http://two.example/', matchType: 'host' }, 2],
    ['a domain, whose ports and hosts are separate ranges', { url: 'http://few.example/', matchType: 'domain' }, 4], // prettier-ignore
    ['many hosts', { url: 'http://example/', matchType: 'domain' }, 6],
  ])('%s', async (_, asked, blocks) => {
    expect(await index.blocks(asked)).toHaveLength(blocks)
    const whole = await all(asked)
    for (let pageBlocks = 1; pageBlocks <= pageBlocksMax; pageBlocks += 1) {
      const found = await pages(asked, pageBlocks)
      expect(found).toHaveLength(Math.ceil(blocks / pageBlocks))
      expect(found.flat()).toEqual(whole)
    }
  })

  it('the final checks run only once', async () => {
    const asked = { url: 'http://two.example/', matchType: 'exact' } as const
    expect(await index.blocks(asked)).toBe(await index.blocks({ ...asked }))
  })
})

it('reads the blocks again when they could not be read before', async () => {
  let isBroken = true
  const get = () => {
    if (isBroken) throw new Error('the disk failed')
    return undefined
  }
  const blocksOf = queryBlocks({ ahead: { get } } as unknown as Parameters<typeof queryBlocks>[0])
  const asked: BlocksAsked = { url: 'http://a.example/', matchType: 'exact' }
  await expect(blocksOf(asked)).rejects.toThrow('the disk failed')
  isBroken = false
  expect(await blocksOf(asked)).toEqual([])
})
