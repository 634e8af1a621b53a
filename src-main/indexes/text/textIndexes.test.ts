import { expect, test } from 'vitest'
import { textFor } from '../../contract/words/render.ts'
import type { Row } from '../testing/archiveFixture.ts'
import { onlyJob } from '../testing/onlyJob.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'
import type { SearchAsked } from './query/searchIndex.ts'
import { samplePdf } from '../../formats/text/testing/samplePdf.ts'

const page = (path: string, body: string, more: Partial<Row> = {}): Row => ({
  url: `http://example.com/${path}`,
  at: '2024-03-01T10:00:00Z',
  body,
  fields: [['Content-Type', 'text/html; charset=utf-8']],
  ...more,
})

/** Indexes these pages as job 1, and further files, and returns what searches them. */
async function indexed(rows: readonly Row[], ...others: { job: number; rows: readonly Row[] }[]) {
  const files = [{ job: 1, rows }, ...others]
  const made = await archiveWith(...files.map(({ job, rows }) => ({ name: `${job}-1-a.warc.gz`, job, rows })))
  const indexes = await indexesOver(made)
  const built = await indexes.text.build(files.map(({ job }) => job))
  const search = (query: string, more: Partial<SearchAsked> = {}) =>
    indexes.text.search({ query, offset: 0, limit: 20, withFacets: false, ...more })
  const found = async (query: string, more: Partial<SearchAsked> = {}) =>
    (await search(query, more)).results.map(({ url }) => url.replace('http://example.com/', ''))
  return { made, indexes, built, search, found }
}

test('words, phrases, beginnings, exclusions and alternatives', async () => {
  const { built, found } = await indexed([
    page('a', '<title>Cats</title><p>black cats and white dogs'),
    page('b', '<title>Dogs</title><p>white cats'),
    page('c', '<p>catalogue of std::vec::Vec'),
    page('style', 'a { cats: none }', { fields: [['Content-Type', 'text/css']] }),
    page('moved', '<p>cats', { status: 301 }),
  ])
  expect(built).toEqual({ files: 1, filesMissing: [], documents: 3, unreadable: 0 })
  expect(await found('cats')).toEqual(['a', 'b'])
  expect(await found('dogs')).toEqual(['b', 'a'])
  expect(await found('CATS white')).toEqual(expect.arrayContaining(['a', 'b']))
  expect(await found('"white cats"')).toEqual(['b'])
  expect(await found('cat*')).toHaveLength(3)
  expect(await found('cats -black')).toEqual(['b'])
  expect(await found('catalogue OR black')).toEqual(expect.arrayContaining(['a', 'c']))
  expect(await found('std::vec')).toEqual(['c'])
})

test.each<[script: string, text: string, found: string[], notFound: string[]]>([
  ['Chinese', '中文的所有權和變量', ['所', '有權', '所有權', '變量'], ['權有', '量變']],
  ['Japanese', '変数バインディング、ﾃｽﾄ', ['変', '変数', 'バイン', 'テスト'], ['数変']],
  ['Korean', '한국어의 변수는', ['변', '변수', '한국어'], ['수변']],
  ['Thai', 'ภาษาไทยเขียนติดกัน', ['ไทย', 'ภาษา'], ['ไทยภาษา']],
  ['Arabic', 'الأَرْشِيفُ الرَّقْمِيّ', ['الارشيف', 'الأرشيف', 'الرقمي'], ['رشيف']],
  ['Persian', 'کتاب‌های خوب', ['كتابهاي', 'خوب'], []],
  ['Hebrew', 'אַרְכִיּוֹן הָאִינְטֶרְנֶט', ['ארכיון', 'האינטרנט'], []],
  ['Hindi', 'हिन्दी में लेख', ['हिन्दी', 'लेख'], ['ह']],
  [
    'Latin with diacritics',
    'Überprüfung naïve Ångström ﬁn',
    ['uberprufung', 'Überprüfung', 'naive', 'ångström', 'fin'],
    [],
  ],
  ['Cyrillic', 'Архив сайтов', ['архив', 'САЙТОВ'], ['арх']],
])('%s is found', async (_, text, words, others) => {
  const { found, search } = await indexed([page('a', `<p>${text}`)])
  for (const word of words) {
    expect(await found(word), word).toEqual(['a'])
    expect(
      (await search(word)).results[0]?.snippet.some(({ isMatch }) => isMatch),
      word,
    ).toBe(true)
  }
  for (const word of others) expect(await found(word), word).toEqual([])
})

test('fields narrow the captures', async () => {
  const { found } = await indexed(
    [
      page('en', '<html lang=en-GB><p>word', { at: '2020-05-06T00:00:00Z' }),
      page('de', '<html lang=de><p>word', { at: '2021-05-06T00:00:00Z' }),
      page('gone', '<p>word', { status: 404, at: '2022-05-06T00:00:00Z' }),
      page('plain', 'word', { fields: [['Content-Type', 'text/plain']], at: '2023-05-06T00:00:00Z' }),
    ],
    {
      job: 2,
      rows: [page('', '<p>word of another host', { url: 'http://www.sub.example.org/', at: '2024-01-01T00:00:00Z' })],
    },
  )
  const org = 'http://www.sub.example.org/'
  const cases: [string, string[]][] = [
    ['word lang:en', ['en']],
    ['word -lang:en -lang:de host:example.com', ['gone', 'plain']],
    ['word host:example.org', [org]],
    ['word host:sub.example.org', [org]],
    ['word host:ample.org', []],
    ['word type:text', ['plain']],
    ['word type:text/*', ['de', 'en', 'gone', org, 'plain']],
    ['word status:404', ['gone']],
    ['word status:4xx', ['gone']],
    ['word before:2021', ['en']],
    ['word after:2021-05-06 before:2022-05-06', ['de']],
    ['word job:2', [org]],
    ['word url:/PLAIN', ['plain']],
    ['word lang:en lang:de', ['de', 'en']],
    ['after:2023', [org, 'plain']],
  ]
  for (const [query, expected] of cases) expect((await found(query)).toSorted(), query).toEqual(expected.toSorted())
  expect(await found('word', { jobs: [2] })).toEqual([org])
  expect(await found('word', { shownBy: onlyJob(2) })).toEqual([org])
  expect(await found('word job:1', { shownBy: onlyJob(2) })).toEqual([])
})

test('equal documents are one result, with all of their captures', async () => {
  const { search } = await indexed(
    [page('a', '<p>the same text'), page('b', '<p>the same text'), page('c', '<p>another text')],
    { job: 2, rows: [page('a', '<p>the same text', { at: '2025-01-01T00:00:00Z' })] },
  )
  const { total, results, facets, months } = await search('text', { withFacets: true })
  expect(total).toBe(2)
  expect(months).toEqual([
    { value: '2024-03', count: 2 },
    { value: '2025-01', count: 1 },
  ])
  expect(results.find(({ captures }) => captures === 3)).toMatchObject({ url: 'http://example.com/a', job: 2, urls: 2 })
  expect(facets).toMatchObject({
    host: [{ value: 'example.com', count: 2 }],
    year: [
      { value: '2024', count: 2 },
      { value: '2025', count: 1 },
    ],
    job: [
      { value: '1', count: 2 },
      { value: '2', count: 1 },
    ],
    status: [{ value: '200', count: 2 }],
    type: [{ value: 'text/html', count: 2 }],
    language: [],
  })
  expect((await search('text job:2')).results).toMatchObject([{ captures: 1, urls: 1 }])
})

test('a revisit is found with the content of its original, in whatever order they come', async () => {
  const revisit = page('a', '', {
    ...{ type: 'revisit', at: '2025-01-01T00:00:00Z' },
    warcFields: [['WARC-Payload-Digest', 'sha1:WKPOKG2ZEMFKHFULMBCJSM6UEQ6GEOKX']],
  })
  const original = page('a', '<p>kept', {
    warcFields: [['WARC-Payload-Digest', 'sha1:WKPOKG2ZEMFKHFULMBCJSM6UEQ6GEOKX']],
  })
  for (const [first, second] of [
    [original, revisit],
    [revisit, original],
  ] as const) {
    const { search, indexes } = await indexed([first], { job: 2, rows: [second] })
    expect((await search('kept')).results).toMatchObject([
      { captures: 2, capturedMs: Date.parse('2025-01-01T00:00:00Z') },
    ])
    expect((await indexes.text.status()).jobs).toMatchObject([
      { job: 1, awaiting: 0 },
      { job: 2, awaiting: 0 },
    ])
  }
})

test('documents leave with their job, and stay while another job has them', async () => {
  const { found, indexes } = await indexed([page('a', '<p>shared text'), page('b', '<p>own text')], {
    ...{ job: 2 },
    rows: [page('a', '<p>shared text', { at: '2025-01-01T00:00:00Z' })],
  })
  expect(await indexes.text.drop([1])).toEqual({ captures: 2 })
  expect(await found('text')).toEqual(['a'])
  expect(await indexes.text.status()).toMatchObject({ jobs: [{ job: 2, captures: 1, files: 1 }], contents: 1 })
  await indexes.text.build([1])
  expect(await found('own')).toEqual(['b'])
})

test('what was read is not read again', async () => {
  const { indexes, built, made } = await indexed([page('a', '<p>text')])
  expect(built.documents).toBe(1)
  expect(await indexes.text.build([1])).toMatchObject({ files: 1, documents: 0 })
  await made.add({ name: '1-2-a.warc.gz', job: 1, rows: [page('b', '<p>text more')] })
  expect(await indexes.text.build([1])).toMatchObject({ files: 2, documents: 1 })
})

test('a file that no replica has is missing, and the others are read', async () => {
  const made = await archiveWith(
    { name: '1-1-a.warc.gz', job: 1, rows: [page('a', '<p>text')], spoil: (bytes) => bytes.fill(0, 4) },
    { name: '1-2-a.warc.gz', job: 1, rows: [page('b', '<p>text')] },
  )
  const indexes = await indexesOver(made)
  expect(await indexes.text.build([1])).toMatchObject({ files: 2, documents: 1 })
})

test('pages of a result continue the first one while documents are added', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => page(`p${at}`, `<p>word number ${at}`))
  const { found, indexes, made } = await indexed(rows)
  const all = await found('word', { limit: 30 })
  expect(new Set(all).size).toBe(30)
  const first = await found('word', { limit: 10 })
  await made.add({ name: '1-2-a.warc.gz', job: 1, rows: [page('new', '<title>word</title>word')] })
  await indexes.text.build([1])
  const later = [
    ...(await found('word', { offset: 10, limit: 10 })),
    ...(await found('word', { offset: 20, limit: 10 })),
  ]
  expect([...first, ...later]).toEqual(all)
  expect((await found('word', { limit: 1 }))[0]).toBe('new')
})

test('a misspelled word gets a suggestion that finds something', async () => {
  const { search } = await indexed([page('a', '<p>iterator and vector'), page('b', '<p>vector')], {
    ...{ job: 2 },
    rows: [page('c', '<p>secret', { at: '2025-01-01T00:00:00Z' })],
  })
  expect((await search('iteratr host:example.com')).suggestion).toBe('iterator host:example.com')
  expect((await search('"vectr iterator"')).suggestion).toBeUndefined()
  expect((await search('vecotr')).suggestion).toBe('vector')
  expect((await search('xyzzy')).suggestion).toBeUndefined()
  // No word of what the caller may not see.
  expect((await search('secrte', { shownBy: onlyJob(1) })).suggestion).toBeUndefined()
})

test('snippets are pieces of text around the words', async () => {
  const { search } = await indexed([
    page('a', `<p>${'before '.repeat(100)}the <b>needle</b> &lt;script&gt; here ${'after '.repeat(100)}`),
  ])
  const snippet = (await search('needle')).results[0]?.snippet ?? []
  expect(snippet.filter(({ isMatch }) => isMatch)).toEqual([{ text: 'needle', isMatch: true }])
  expect(snippet.map(({ text }) => text).join('')).toMatch(/^… before .*the needle <script> here after .* …$/)
  expect(snippet.map(({ text }) => text).join('').length).toBeLessThan(260)
})

test('a long text is found by all of its words, and snippets are taken from its first 60,000 characters', async () => {
  const { search } = await indexed([
    page('a', `<p>first ${'between '.repeat(7_400)} within ${'after '.repeat(2_000)} last`),
  ])
  const snippet = async (query: string) => (await search(query)).results[0]?.snippet.map(({ text }) => text).join('')
  expect(await snippet('within')).toMatch(/^… .*between within after .* …$/)
  expect(await snippet('last')).toMatch(/^first between .* …$/)
})

test('the newest capture of those that were searched is shown, and of several at one time the first', async () => {
  const at = ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'] as const
  const { search } = await indexed([
    page('old', '<p>the same text', { at: at[0] }),
    page('b', '<p>the same text', { at: at[1] }),
    page('c', '<p>the same text', { at: at[1] }),
    page('other', '<p>text', { at: at[1] }),
  ])
  expect((await search('same')).results).toMatchObject([{ url: 'http://example.com/b', captures: 3, urls: 3 }])
  const narrowed = (await search('text before:2025')).results
  expect(narrowed).toMatchObject([{ url: 'http://example.com/old', captures: 1, urls: 1 }])
})

test('a PDF is found, and one that cannot be read is no error', async () => {
  const pdf = (path: string, body: Buffer) => page(path, '', { body, fields: [['Content-Type', 'application/pdf']] })
  const { found, built } = await indexed([
    pdf('a', samplePdf('Annual report', ['preserved bits'])),
    pdf('b', Buffer.from('%PDF')),
  ])
  expect(built).toMatchObject({ documents: 2, unreadable: 1 })
  expect(await found('preserved type:pdf')).toEqual(['a'])
})

test.each<[query: string, said: string]>([
  ['', textFor('search.query.empty')],
  ['"', textFor('search.query.empty')],
  ['-a', textFor('search.query.onlyNot')],
  ['a OR', textFor('search.query.or')],
  ['OR a', textFor('search.query.or')],
  ['a OR host:b', textFor('search.query.orField', { field: 'host' })],
  ['a before:1.2.2020', textFor('search.query.date', { field: 'before', value: '1.2.2020' })],
  ['a after:2020-02-31', textFor('search.query.date', { field: 'after', value: '2020-02-31' })],
  ['a status:ok', textFor('search.query.status', { value: 'ok' })],
])('the query %j is refused with one sentence', async (query, said) => {
  const indexes = await indexesOver(await archiveWith())
  const refused = indexes.text.search({ query, offset: 0, limit: 1, withFacets: false })
  await expect(refused).rejects.toMatchObject({ code: 'badInput', message: said })
})
