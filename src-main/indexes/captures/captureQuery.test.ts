import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicaliserVersion, cdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import { surt } from '../../formats/cdx/surt.ts'
import type { CaptureFilter } from './captureFilter.ts'
import type { CaptureQuery } from './captureQuery.ts'
import { openIndexes, type CaptureIndex, type IndexedCapture } from '../indexes.ts'
import { queryRowsMax } from '../model/limits.ts'
import { createArchive, type ArchiveFixture, type Row } from '../testing/archiveFixture.ts'

const at = (day: number) => Date.UTC(2020, 0, 1 + day)
const page = (url: string, day: number, status = 200): Row => ({ url, at: new Date(at(day)).toISOString(), status })
const urls = ['', 'a', 'a/b', 'a/c', 'ab', 'z?q=1'].map((path) => `http://example.com/${path}`)
const others = [
  'http://sub.example.com/a',
  'http://example.com:8080/a',
  'http://example-shop.com/a',
  'http://other.org/',
]
const rows = [
  ...[...urls, ...others].flatMap((url) => [page(url, 0), page(url, 400, 404)]),
  ...Array.from({ length: 12 }, (_, day) => page('http://daily.org/', day)),
  page('http://daily.org/', 5),
]
const long = `http://long.org/${'a'.repeat(40)}`

describe('captures by query', () => {
  let made: ArchiveFixture
  let index: CaptureIndex
  beforeAll(async () => {
    made = await createArchive()
    await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [...rows, page(`${long}!`, 0)] })
    const parts = { folder: join(made.folder, 'indexes'), world: made.world, archive: made.archive, tasks: made.tasks }
    index = await (await openIndexes(parts)).captureIndexFor({ jobs: [1] })
  })
  afterAll(async () => {
    index.close()
    await made[Symbol.asyncDispose]()
  })

  async function all(query: CaptureQuery): Promise<IndexedCapture[]> {
    const found: IndexedCapture[] = []
    for (let after = query.after; ;) {
      const { captures, next } = await index.query({ ...query, ...(after !== undefined && { after }) })
      expect(captures.length).toBeLessThanOrEqual(query.limit)
      found.push(...captures)
      if (next === undefined) return found
      after = next
    }
  }
  const said = ({ url, timestampMs }: IndexedCapture) =>
    `${url.replace('http://', '')} ${(timestampMs - at(0)) / 86_400_000}`

  const check = (what: string, query: Partial<CaptureQuery> & { url: string }, expected: string[]) =>
    it(what, async () => {
      expect((await all({ matchType: 'exact', limit: 100, ...query })).map(said)).toEqual(expected)
      expect((await all({ matchType: 'exact', ...query, limit: 1 })).map(said)).toEqual(expected)
    })
  const filter = (how: CaptureFilter['how'], field: CaptureFilter['field'], text: string, negated = false) => ({
    filters: [{ how, field, text, negated }],
  })
  const url = 'http://example.com/a'

  check('of one address, oldest first', { url }, ['example.com/a 0', 'example.com/a 400'])
  check('newest first', { url, sort: { kind: 'reverse' } }, ['example.com/a 400', 'example.com/a 0'])
  check('from', { url, fromMs: at(0) + 1 }, ['example.com/a 400'])
  check('to, which is among them', { url, toMs: at(0) }, ['example.com/a 0'])
  check('to, newest first', { url, toMs: at(399), sort: { kind: 'reverse' } }, ['example.com/a 0'])
  check('by prefix', { url, matchType: 'prefix', toMs: at(9) }, ['a', 'a/b', 'a/c', 'ab'].map((path) => `example.com/${path} 0`)) // prettier-ignore
  check('by prefix, from the end', { url: `${url}/`, matchType: 'prefix', sort: { kind: 'reverse' } }, ['example.com/a/c 400', 'example.com/a/c 0', 'example.com/a/b 400', 'example.com/a/b 0']) // prettier-ignore
  check(
    'of a host',
    { url, matchType: 'host', toMs: at(9) },
    urls.map((each) => `${each.replace('http://', '')} 0`),
  )
  check('of a domain', { url: 'http://example.com/', matchType: 'domain', fromMs: at(9), ...filter('contains', 'url', '/a') }, ['example.com/a 400', 'example.com/a/b 400', 'example.com/a/c 400', 'example.com/ab 400', 'sub.example.com/a 400', 'example.com:8080/a 400']) // prettier-ignore
  check('of a domain, from the end', { url, matchType: 'domain', toMs: at(9), sort: { kind: 'reverse' }, ...filter('is', 'url', 'http://sub.example.com/a') }, ['sub.example.com/a 0']) // prettier-ignore
  check('nearest first', { url: 'http://daily.org/', sort: { kind: 'closest', atMs: at(4) }, fromMs: at(2), toMs: at(7) }, [4, 5, 5, 3, 6, 2, 7].map((day) => `daily.org/ ${day}`)) // prettier-ignore
  check('with a status', { url, ...filter('is', 'status', '404') }, ['example.com/a 400'])
  check('without it', { url, ...filter('is', 'status', '404', true) }, ['example.com/a 0'])
  check('by an expression', { url, matchType: 'host', ...filter('matches', 'url', '/[a-z]/b$') }, ['example.com/a/b 0', 'example.com/a/b 400']) // prettier-ignore
  check('by two, of which one must not fit', { url, matchType: 'prefix', filters: [{ how: 'matches', field: 'timestamp', text: '^2020', negated: false }, { how: 'matches', field: 'urlkey', text: '/a/', negated: true }] }, ['example.com/a 0', 'example.com/ab 0']) // prettier-ignore
  check('of a host without captures', { url: 'http://absent.org/', matchType: 'domain' }, [])
  check('of a URL without a host', { url: 'dns:example.com', matchType: 'host' }, [])

  it('in pages or at once, forward or backward, gives the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...urls, ...others, 'http://daily.org/'),
        fc.constantFrom('exact' as const, 'prefix' as const, 'host' as const, 'domain' as const),
        fc.integer({ min: 1, max: 7 }),
        async (of, matchType, limit) => {
          const whole = await all({ url: of, matchType, limit: 1000 })
          expect(await all({ url: of, matchType, limit })).toEqual(whole)
          expect((await all({ url: of, matchType, limit, sort: { kind: 'reverse' } })).toReversed()).toEqual(whole)
          expect(whole.map(({ key }) => key)).toEqual(whole.map(({ key }) => key).toSorted())
          if (matchType === 'exact') {
            const closest = await all({ url: of, matchType, limit, sort: { kind: 'closest', atMs: at(6) } })
            expect(new Set(closest)).toEqual(new Set(whole))
            const distances = closest.map(({ timestampMs }) => Math.abs(timestampMs - at(6)))
            expect(distances).toEqual(distances.toSorted((a, b) => a - b))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it.each<[string, Partial<CaptureQuery>, RegExp]>([
    ['an invalid pattern', filter('matches', 'url', '('), /The filter \( cannot be used\. .*never closed/],
    ['lookahead', filter('matches', 'url', '(?!a)'), /Lookahead is not supported/],
    ['a place of no page', { after: 'x' }, /does not belong to this query/],
    [
      'a place of another kind of query',
      { after: Buffer.from('[["a",1,1,"b"]]').toString('base64url') },
      /does not belong/,
    ],
    ['nearest of many addresses', { matchType: 'host', sort: { kind: 'closest', atMs: 0 } }, /single URL/],
  ])('refuses %s', async (_, query, text) => {
    await expect(index.query({ url, matchType: 'exact', limit: 5, ...query })).rejects.toThrow(text)
  })

  it('answers a pattern that backtracking engines never finish', async () => {
    const query = { url: long, matchType: 'prefix' as const, limit: 5 }
    const all = await index.query(query)
    expect(all.captures).not.toEqual([])
    expect(await index.query({ ...query, ...filter('matches', 'url', '(a+)+') })).toEqual(all)
    expect(await index.query({ ...query, ...filter('matches', 'url', '(a+)+$') })).toEqual({
      captures: [],
      next: undefined,
    })
  })

  it('counts the captures of each day, by year', () => {
    expect(index.timeline(url)).toEqual([
      { year: 2020, captures: 1, days: [{ day: '2020-01-01', captures: 1 }] },
      { year: 2021, captures: 1, days: [{ day: '2021-02-04', captures: 1 }] },
    ])
    const [year] = index.timeline('http://daily.org/')
    expect(year?.captures).toBe(13)
    expect(year?.days).toHaveLength(12)
    expect(year?.days[5]).toEqual({ day: '2020-01-06', captures: 2 })
    expect(index.timeline('http://absent.org/')).toEqual([])
  })
})

it('reads a limited number of rows and returns where to continue', async () => {
  await using made = await createArchive()
  const url = 'http://many.org/'
  const line = (number: number) =>
    `${surt(url)} 20200101000000 {"url": "${url}", "mime": "text/html", "status": "${number === queryRowsMax + 5 ? 404 : 200}", "length": "1", "offset": "${number}", "filename": "1-1-a.warc.gz"}`
  const lines = Array.from({ length: queryRowsMax + 10 }, (_, number) => line(number))
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [page(url, 0)] })
  await made.add({
    name: '1-metadata-1.warc.gz',
    job: 1,
    kind: 'metadata',
    rows: [
      {
        url: 'metadata://loupe/crawl/index/cdx?jobid=1&filename=1-1-a.warc.gz',
        at: '2020-01-02T00:00:00Z',
        type: 'resource',
        contentType: 'application/x-cdxj',
        block: Buffer.from(`${cdxjHeader(canonicaliserVersion)}\n${lines.join('\n')}\n`),
      },
    ],
  })
  const parts = { folder: join(made.folder, 'indexes'), world: made.world, archive: made.archive, tasks: made.tasks }
  const index = await (await openIndexes(parts)).captureIndexFor({ jobs: [1] })
  const query = {
    url,
    matchType: 'exact' as const,
    limit: 5,
    filters: [{ how: 'is' as const, field: 'status' as const, text: '404', negated: false }],
  }
  const { captures, next } = await index.query(query)
  expect(captures).toEqual([])
  expect(next).toBeDefined()
  const second = await index.query({ ...query, ...(next !== undefined && { after: next }) })
  expect(second).toMatchObject({ captures: [{ status: 404 }], next: undefined })
  // A large pattern reads fewer rows per page and still reaches the end.
  const large = [
    ...query.filters,
    { how: 'matches' as const, field: 'url' as const, text: `many|${'b'.repeat(4_900)}`, negated: false },
  ]
  let pages = 0
  for (let after: string | undefined; ; pages += 1) {
    const page = await index.query({ ...query, filters: large, ...(after !== undefined && { after }) })
    after = page.next
    if (after === undefined) {
      expect(page.captures).toMatchObject([{ status: 404 }])
      break
    }
  }
  expect(pages).toBeGreaterThan(3)
  index.close()
})
