import { expect, test } from 'vitest'
import type { CapturedUrl, FoundUrls, SearchResult } from '../../src-main/contract/services/search.ts'
import { allResults, allUrls } from './matches.ts'
import { servicesWith } from './testing/storeFixtures.ts'

const result: SearchResult = {
  ...{ title: 't', url: 'http://a.example/', snippet: [], time: '2024-05-01T00:00:00.000Z', job: 1, status: 200 },
  ...{ mediaType: 'text/html', language: '', file: 'a.warc.gz', offset: 0, captures: 1, urls: 1 },
}

test.each([
  [250, 250, true],
  [5_000, 1_000, false],
])('of %i results, %i are saved', async (total, saved, isWhole) => {
  const asked: number[] = []
  const { search } = servicesWith({
    search: {
      find: async ({ offset = 0, limit = 20 }) => {
        asked.push(offset)
        const results = Array.from({ length: Math.min(limit, total - offset) }, () => result)
        return { total, results, facets: null, months: null, suggestion: null, findings: [] }
      },
    },
  })
  const matches = await allResults(search, 'a', () => undefined)
  expect([matches.rows.length, matches.isWhole]).toEqual([saved, isWhole])
  expect(asked).toEqual(Array.from({ length: Math.ceil(saved / 100) }, (_, at) => at * 100))
})

test('URLs are saved to the last answer, also after one without any', async () => {
  const url = (name: string): CapturedUrl => ({
    ...{ url: `http://a.example/${name}`, mediaType: '', status: null, job: 1, captures: 1, hasMoreCaptures: false },
    ...{ first: '2024-05-01T00:00:00.000Z', last: '2024-05-01T00:00:00.000Z' },
  })
  const answers: Record<string, Pick<FoundUrls, 'urls' | 'next'>> = {
    '': { urls: [url('1'), url('2')], next: 'two' },
    two: { urls: [], next: 'three' },
    three: { urls: [url('3')], next: null },
  }
  const { search } = servicesWith({
    search: {
      urls: async ({ after = '', jobs }) => {
        expect(jobs).toEqual([3])
        const page = answers[after] ?? { urls: [], next: null }
        return { ...page, compared: 1, indexing: null, filesMissing: 0 }
      },
    },
  })
  const { rows, isWhole } = await allUrls(search, { url: 'a', match: 'prefix', jobs: [3] }, () => undefined)
  expect(rows.map(({ url: each }) => each.slice(-1))).toEqual(['1', '2', '3'])
  expect(isWhole).toBe(true)
})
