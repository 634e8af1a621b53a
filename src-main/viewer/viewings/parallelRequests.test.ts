/** Eight connections that request the same few URLs at the same time, while the memory for records is too small for all of them: each
 *  reply has exactly the bytes of its capture, and the list of missing URLs counts each request once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { askOver, viewerOver } from '../testing/viewerFixture.ts'
import type { Viewer } from '../viewer.ts'

const pagesCount = 24
const missingCount = 8
const connectionsCount = 8
const requestsCount = 960
/** Room for about six records, so that most are dropped and read again. */
const recordCacheBytesMax = 250_000

const pageOf = (number: number) => `http://site.example/page${number}`
const missingOf = (number: number) => `http://site.example/missing${number}`
/** A body with a different length and different bytes for each page. */
const bodyOf = (number: number) => Buffer.alloc(30_000 + 997 * number, `the body of page ${number}; `)

let made: ArchiveFixture
let viewer: Viewer

beforeAll(async () => {
  made = await createArchive()
  const rows = Array.from({ length: pagesCount }, (_, number) => ({
    ...{ url: pageOf(number), at: '2020-06-01T00:00:00Z', body: bodyOf(number) },
    fields: [['Content-Type', 'text/plain']] as [string, string][],
  }))
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: rows.slice(0, pagesCount / 2) })
  await made.add({ name: '1-2-b.warc.gz', job: 1, rows: rows.slice(pagesCount / 2) })
  viewer = await viewerOver(made, {
    recordCacheBytesMax: () => recordCacheBytesMax,
    onProblem: (error) => {
      throw error
    },
  })
  await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
})

afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

test('parallel requests get the exact bytes, and each missing request is counted once', async () => {
  const view = viewer.current()?.view ?? 0
  const expected = new Map<string, number>()
  const wrong: string[] = []
  let next = 0
  const askAll = async () => {
    while (next < requestsCount) {
      const number = next
      next += 1
      // Each URL is requested many times, and consecutive URLs differ.
      const at = (number * 7) % (pagesCount + missingCount)
      const url = at < pagesCount ? pageOf(at) : missingOf(at - pagesCount)
      const { status, body } = await askOver(viewer.proxy, url)
      if (at >= pagesCount) expected.set(url, (expected.get(url) ?? 0) + 1)
      const isRight = at < pagesCount ? status === 200 && body.equals(bodyOf(at)) : status === 404
      if (!isRight) wrong.push(`${url}: ${status}, ${body.length} bytes`)
    }
  }
  await Promise.all(Array.from({ length: connectionsCount }, askAll))
  expect(wrong).toEqual([])
  expect(new Map(viewer.misses(view).map(({ url, times }) => [url, times]))).toEqual(expected)
  expect([...expected.values()].reduce((sum, times) => sum + times, 0)).toBe((requestsCount * missingCount) / (pagesCount + missingCount)) // prettier-ignore
  expect(viewer.errors(view)).toEqual([])
  expect(viewer.answers(0)).toHaveLength(requestsCount)
})
