/** Captures of a search with what their pages need, over real archives. */
import { expect, test } from 'vitest'
import { sha1Base32 } from '../../formats/bytes/digest.ts'
import type { Row } from '../testing/archiveFixture.ts'
import { onlyJob } from '../testing/onlyJob.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'
import type { MatchesAsked } from './matches.ts'

const row = (url: string, mediaType: string, body: string, more: Partial<Row> = {}): Row => ({
  ...{ url, at: '2024-03-01T10:00:00Z', body, fields: [['Content-Type', mediaType]] },
  ...more,
})
const page = (url: string, body: string, more?: Partial<Row>) => row(url, 'text/html', body, more)
const image = (url: string, more?: Partial<Row>) => row(url, 'image/png', `image ${url} ${more?.at ?? ''}`, more)
const revisit = (url: string, { of, body, ...more }: Partial<Row> & { of?: string; body: string }): Row => ({
  ...page(url, ''),
  ...more,
  type: 'revisit',
  warcFields: [
    ['WARC-Payload-Digest', sha1Base32([Buffer.from(body)])],
    ...(of === undefined ? [] : [['WARC-Refers-To-Target-URI', of] as const]),
  ],
})

const files: { job: number; rows: Row[] }[] = [
  {
    job: 1,
    rows: [
      page(
        'http://a.test/',
        '<p>fossils</p><img src=/one.png><link rel=stylesheet href=style.css><iframe src=frame></iframe>' +
          '<script src=http://b.test/run.js></script><a href=/other>linked</a><img src=gone.png>',
      ),
      image('http://a.test/one.png'),
      row('http://a.test/style.css', 'text/css', '@import "more.css"; p { background: url(moved.png) }'),
      row('http://a.test/more.css', 'text/css', '@font-face { src: url(font.woff2) }'),
      row('http://a.test/font.woff2', 'font/woff2', 'font'),
      row('http://a.test/moved.png', 'text/html', '', { status: 302, fields: [['Location', '/there.png']] }),
      image('http://a.test/there.png'),
      page('http://a.test/frame', '<img src=/framed.png>'),
      image('http://a.test/framed.png'),
      page('http://a.test/other', '<p>rivers</p><img src=not-needed.png>'),
      image('http://a.test/not-needed.png'),
    ],
  },
  { job: 2, rows: [row('http://b.test/run.js', 'text/javascript', 'run()')] },
]
const needed = [
  ...['a.test/', 'a.test/one.png', 'a.test/style.css', 'a.test/more.css', 'a.test/font.woff2', 'a.test/moved.png'],
  ...['a.test/there.png', 'a.test/frame', 'a.test/framed.png', 'b.test/run.js'],
]

/** Indexes the files, and returns a function that gives the matches, and their records as the URLs without `http://`. */
async function opened(given: readonly { job: number; rows: readonly Row[] }[]) {
  const named = given.map((file, at) => ({ ...file, name: `${file.job}-${at}.warc.gz` }))
  const made = await archiveWith()
  const urls = new Map<string, string>()
  for (const file of named) {
    const offsets = await made.add(file)
    for (const [at, offset] of offsets.entries())
      urls.set(`${file.name} ${offset}`, (file.rows[at]?.url ?? '').replace('http://', ''))
  }
  const indexes = await indexesOver(made)
  await indexes.text.build([...new Set(given.map(({ job }) => job))])
  return async (query: string, more: Partial<MatchesAsked> = {}) => {
    const { signal } = new AbortController()
    const matches = await indexes.matches({ mode: 'text', query, match: 'prefix', signal, ...more })
    const records = [...matches.places].flatMap(([name, offsets]) =>
      [...offsets].map((offset) => urls.get(`${name} ${offset}`) ?? ''),
    )
    return { ...matches, records: records.toSorted() }
  }
}

test('a page comes with its images, styles, scripts and frames, and what those need', async () => {
  const matches = await opened(files)
  const found = await matches('fossils')
  expect(found.records).toEqual(needed.toSorted())
  expect(found).toMatchObject({ matched: 1, needed: needed.length - 1, absent: 1, unavailable: 0, isCut: false })
  expect(found.urls).toEqual(['http://a.test/'])
})

test('a search among URLs gives all captures of each', async () => {
  const later = { at: '2024-05-01T10:00:00Z' }
  const matches = await opened([...files, { job: 3, rows: [page('http://a.test/frame', 'later', later)] }])
  const urls = async (more: Partial<MatchesAsked> = {}) => {
    const { records } = await matches('a.test/frame', { mode: 'urls', match: 'exact', ...more })
    return records
  }
  expect(await urls()).toEqual(['a.test/frame', 'a.test/frame', 'a.test/framed.png'])
  expect(await urls({ jobs: [3] })).toEqual(['a.test/frame'])
})

test('of a picture, the capture nearest to that of the page is taken', async () => {
  const times = ['2024-01-01T10:00:00Z', '2024-03-01T10:00:01Z', '2024-06-01T10:00:00Z']
  const matches = await opened([
    { job: 1, rows: [page('http://a.test/', '<p>fossils<img src=one.png>')] },
    ...times.map((at, number) => ({ job: number + 2, rows: [image('http://a.test/one.png', { at })] })),
  ])
  const { places } = await matches('fossils')
  expect([...places.keys()]).toEqual(['1-0.warc.gz', '3-2.warc.gz'])
})

test('a revisit brings its original from another job, and references are relative to its own URL', async () => {
  const body = '<p>fossils</p><img src=one.png>'
  const later = { at: '2024-05-01T10:00:00Z' }
  const matches = await opened([
    { job: 1, rows: [page('http://a.test/deep/', body), image('http://a.test/one.png')] },
    { job: 2, rows: [revisit('http://a.test/', { body, of: 'http://a.test/deep/', ...later })] },
  ])
  const { records, absent } = await matches('fossils job:2')
  expect(records).toEqual(['a.test/', 'a.test/deep/', 'a.test/one.png'])
  expect(absent).toBe(0)
})

test('what the caller may not see is neither a match nor needed', async () => {
  const matches = await opened(files)
  const { records } = await matches('fossils', { shownBy: onlyJob(1) })
  expect(records).toEqual(needed.filter((url) => url !== 'b.test/run.js').toSorted())
  expect((await matches('fossils', { shownBy: onlyJob(2) })).records).toEqual([])
  const urls = await matches('b.test', { mode: 'urls', match: 'host', shownBy: onlyJob(1) })
  expect(urls.records).toEqual([])
})

test('pages that embed each other end', async () => {
  const matches = await opened([
    {
      job: 1,
      rows: [
        page('http://a.test/1', '<p>fossils<iframe src=2></iframe>'),
        page('http://a.test/2', '<iframe src=1></iframe><iframe src=2></iframe>'),
        row('http://a.test/loop', '', '', { status: 301, fields: [['Location', '/loop']] }),
      ],
    },
  ])
  expect((await matches('fossils')).records).toEqual(['a.test/1', 'a.test/2'])
})
