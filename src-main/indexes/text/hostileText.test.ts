/** Documents and queries that are made to break a text index: each is answered or refused with one sentence, with bounded memory. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import { textOf } from '../../contract/words/render.ts'
import type { Row } from '../testing/archiveFixture.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'
import { textSearcher } from './query/searchIndex.ts'
import { openTextStore } from './store/textStore.ts'

const page = (
  path: string,
  body: string | Uint8Array,
  type = 'text/html; charset=utf-8',
  more: Partial<Row> = {},
): Row => ({
  ...{ url: `http://a.test/${path}`, at: '2024-03-01T10:00:00Z', body, fields: [['Content-Type', type]] },
  ...more,
})

async function indexed(rows: readonly Row[]) {
  const made = await archiveWith({ name: '1-1-a.warc.gz', job: 1, rows })
  const indexes = await indexesOver(made)
  const peak = peakOfMemory()
  const built = await indexes.text.build([1])
  const bytesMore = peak.end()
  const search = (query: string) => indexes.text.search({ query, offset: 0, limit: 20, withFacets: true })
  const found = async (query: string) =>
    (await search(query)).results.map(({ url }) => url.replace('http://a.test/', ''))
  return { built, bytesMore, search, found }
}

/** Watches the memory of this process, in which the threads are. */
function peakOfMemory() {
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5)
  return {
    end() {
      clearInterval(timer)
      return peak - before
    },
  }
}

test('a page of 200 MB: its beginning is found, and memory does not depend on its length', async () => {
  const bytes = 200_000_000
  const body = Buffer.alloc(bytes, '<p>filler text ')
  body.write('<p>beginning ')
  body.write('<p>farend ', bytes - 100)
  const { built, bytesMore, found } = await indexed([page('long', body), page('after', '<p>next')])
  expect(built).toMatchObject({ documents: 2, filesMissing: [] })
  expect(bytesMore).toBeLessThan(bytes)
  expect(await found('beginning')).toEqual(['long'])
  expect(await found('farend')).toEqual([])
  expect(await found('next')).toEqual(['after'])
})

test('a word of megabytes, of letters and of characters that are words of their own', async () => {
  const { found, search } = await indexed([
    page('latin', `<p>before ${'a'.repeat(3_000_000)} behind`),
    page('chinese', `<p>first ${'中'.repeat(400_000)} last`),
    page('marks', `<p>plain e${'\u0301'.repeat(500_000)} end`),
  ])
  expect(await found('before')).toEqual(['latin'])
  expect(await found('aaaa*')).toEqual(['latin'])
  expect(await found('中中中 last')).toEqual(['chinese'])
  expect(await found('plain end')).toEqual(['marks'])
  const [{ snippet } = { snippet: [] }] = (await search('before')).results
  expect(snippet.map(({ text }) => text).join('').length).toBeLessThan(10_000)
})

test('a million different words: each is found, and a misspelled one is answered', async () => {
  const perPage = 50_000
  const word = (number: number) => `w${number.toString(36)}`
  const pages = Array.from({ length: 20 }, (_, at) =>
    page(`${at}`, `<p>${Array.from({ length: perPage }, (__, of) => word(1_000_000 + at * perPage + of)).join(' ')}`),
  )
  const { found, search } = await indexed(pages)
  expect(await found(word(1_000_000))).toEqual(['0'])
  expect(await found(word(1_999_999))).toEqual(['19'])
  expect((await search('wzzzzq')).total).toBe(0)
})

test('encodings that are broken, unknown or not the declared one do not hide other documents', async () => {
  const latin = Buffer.from('<p>needle caf\xe9', 'latin1')
  const broken: [name: string, body: Buffer, type: string, fields?: [string, string][]][] = [
    ['cut', Buffer.concat([Buffer.from('<p>needle '), Buffer.of(0xe4, 0xb8)]), 'text/html; charset=utf-8'],
    ['latinAsUtf8', latin, 'text/html; charset=utf-8'],
    ['unknownLabel', latin, 'text/html; charset=x-no-such-charset'],
    ['twoLabels', Buffer.from('<p>needle two'), 'text/html; charset=utf-8; charset=utf-16'],
    ['nul', Buffer.from('<p>needle\0\0 and more'), 'text/html'],
    [
      'overlong',
      Buffer.concat([Buffer.from('<p>needle '), Buffer.of(0xc0, 0x80, 0xf8, 0x88)]),
      'text/html; charset=utf-8',
    ],
    ['notGzip', Buffer.from('<p>needle'), 'text/html', [['Content-Encoding', 'gzip']]],
    ['notChunked', Buffer.from('<p>needle'), 'text/html', [['Transfer-Encoding', 'chunked']]],
    ['metaLies', Buffer.from('<meta charset=utf-16><p>needle'), 'text/html'],
    ['utf16AsUtf8', Buffer.from('<p>needle', 'utf16le'), 'text/html; charset=utf-8'],
    ['asciiAsUtf16', Buffer.from('<p>needle!'), 'text/html; charset=utf-16'],
    ['loneSurrogates', Buffer.from('<p>needle \ud800\udc00\ud800 x', 'utf16le'), 'text/html; charset=utf-16le'],
  ]
  const rows = broken.map(([name, body, type, fields = []]) =>
    page(name, body, type, { fields: [['Content-Type', type], ...fields] }),
  )
  const { found, built } = await indexed([...rows, page('plain', '<p>needle in order')])
  expect(built.filesMissing).toEqual([])
  const all = await found('needle')
  const readable = [
    'cut',
    'latinAsUtf8',
    'unknownLabel',
    'twoLabels',
    'overlong',
    'metaLies',
    'loneSurrogates',
    'plain',
  ]
  expect(all).toEqual(expect.arrayContaining(readable))
})

/** Asks the searcher itself: what it throws is not turned into anything. */
const searcher = () => {
  const store = openTextStore(':memory:')
  const { search } = textSearcher(store)
  return {
    /** The sentence of a refusal; undefined: there was an answer. */
    refusal(query: string): string | undefined {
      const found = search({ query, offset: 0, limit: 5, withFacets: true })
      return 'fault' in found ? textOf(found.fault) : undefined
    },
    close: () => store.close(),
  }
}

const hostile = [
  ...['"', '""', '"a', 'a"b"c', "'", '`', ';', '--', '\\', '%', '_', '\0', 'a\0b', '"a\0b"', '\ud800', 'a\ud800*'],
  ...[
    '(',
    ')',
    '(a',
    'a)',
    '((((a',
    'a AND',
    'AND',
    'NOT a',
    'a NOT b',
    'NEAR(a b)',
    'NEAR(a b, 5)',
    'a NEAR/2 b',
    'NEAR',
    'OR OR',
  ],
  ...[
    '*',
    'a**',
    '*a',
    '^a',
    'a ^ b',
    'a + b',
    '+a',
    '{title}: a',
    'title: a',
    'title:a',
    '-title:a',
    '{a b}',
    'words:a',
    'rowid:1',
  ],
  ...[
    "'; DROP TABLE words; --",
    '" OR 1=1',
    'a) OR (b',
    'rank',
    "words('optimize')",
    '[a]',
    '<b>a</b>',
    'a:b:c',
    ':',
    '::',
    'host:',
    '-',
    '--a',
  ],
  ...[
    'type:*',
    'type:%',
    'host:%',
    'host:\0',
    'url:"',
    'job:99999999999999999999',
    'status:',
    'after:0000',
    'before:9999-99',
  ],
  ...[
    'a '.repeat(400),
    'a OR '.repeat(20),
    '('.repeat(900),
    '"'.repeat(999),
    '-'.repeat(999),
    'a'.repeat(100_000),
    '中'.repeat(900),
  ],
]

test('syntax of FTS5 and SQL in a query is text, or refused with one sentence', () => {
  const { refusal, close } = searcher()
  for (const query of hostile) {
    const said = refusal(query)
    if (said !== undefined) expect(said, query.slice(0, 40)).toMatch(/^[^\n]{1,400}\.$/)
  }
  expect(refusal('a'.repeat(100_000))).toMatch(/1,?000/)
  close()
})

test('any query is answered or refused', () => {
  const { refusal, close } = searcher()
  const piece = fc.oneof(
    fc.constantFrom(...hostile),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(' ', ' OR ', ' -', '*'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const said = refusal(pieces.join(''))
      expect(said === undefined || said.length < 2_000).toBe(true)
    }),
    { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 300) },
  )
  close()
})

test('through the thread, a refusal is a fault with a code', async () => {
  const { search } = await indexed([page('a', '<p>text')])
  await expect(search('a'.repeat(100_000))).rejects.toSatisfy(
    (error) => error instanceof Fault && error.code === 'badInput',
  )
  expect((await search('text \0 NEAR')).total).toBe(0)
})
