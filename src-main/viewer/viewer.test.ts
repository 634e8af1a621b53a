import { textOf } from '../contract/words/render.ts'
import { message } from '../contract/words/message.ts'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchive, type ArchiveFixture, type Row } from '../indexes/testing/archiveFixture.ts'
import { askOver, viewerOver, type Asking } from './testing/viewerFixture.ts'
import type { AccessRule } from './model/accessRules.ts'
import type { Chosen, Located, Viewer } from './viewer.ts'

const at = '2024-02-29T12:30:05Z'
const html = [['Content-Type', 'text/html']] as const
const large = Buffer.alloc(1_500_000, 'all work and no play makes a large body. ')
const chunked = (body: string | Buffer, size = 700) => {
  const bytes = Buffer.from(body)
  const parts: Buffer[] = []
  for (let start = 0; start < bytes.length; start += size) {
    const part = bytes.subarray(start, start + size)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

const nearest = (jobs: number[]): Chosen => ({
  jobs,
  moment: { kind: 'nearest', atMs: Date.parse(at) },
  withinMs: undefined,
})
const newest = (jobs: number[]): Chosen => ({ jobs, moment: { kind: 'newest' }, withinMs: undefined })
const misses = () => viewer.misses(viewer.current()?.view ?? 0)
const accessRules: AccessRule[] = [
  { surtPrefix: 'example,site)/blocked', effect: 'block' },
  { surtPrefix: 'example,site)/excluded', effect: 'exclude' },
]
const elsewhere: Located = {
  ...{ url: 'http://site.example/in-another-job', timestampMs: 0, job: 7, filename: '7-1.warc.gz', offset: 0 },
  ...{ status: 200, recordType: 'response' },
}

const rows: Row[] = [
  { url: 'http://site.example/', at, fields: html, body: '<h1>Hello</h1>' },
  { url: 'http://site.example/cut', at, fields: [...html, ['Content-Length', '999']], body: 'shorter than it says' },
  {
    url: 'http://site.example/chunked',
    at,
    fields: [...html, ['Transfer-Encoding', 'chunked']],
    body: chunked('one two three', 4),
  },
  ...[
    ['broken', '3\r\none\r\nzz\r\ntwo'],
    ['torn', '3\r\none\r\n3\r\ntw'],
  ].map(([name, body]): Row => ({
    ...{ url: `http://site.example/chunks-${name}`, at, body: body! },
    fields: [...html, ['Transfer-Encoding', 'chunked']],
  })),
  {
    ...{ url: 'http://site.example/truncated', at, fields: html, body: 'the first bytes' },
    warcFields: [['WARC-Truncated', 'length']],
  },
  {
    ...{ url: 'http://site.example/truncated-again', at, type: 'revisit', fields: html },
    warcFields: [
      ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'],
      ['WARC-Refers-To-Target-URI', 'http://site.example/truncated'],
      ['WARC-Refers-To-Date', at],
      ['WARC-Truncated', 'length'],
    ],
  },
  { url: 'http://site.example/gone', at, status: 404, reason: 'Really Gone', fields: html, body: 'an archived 404' },
  {
    url: 'http://site.example/gzip',
    at,
    fields: [...html, ['Content-Encoding', 'gzip']],
    body: gzipSync('coded content'),
  },
  {
    url: 'http://site.example/brotli',
    at,
    fields: [...html, ['Content-Encoding', 'br']],
    body: brotliCompressSync('brotli content'),
  },
  { url: 'http://site.example/notgzip', at, fields: [...html, ['Content-Encoding', 'gzip']], body: 'stored decoded' },
  {
    url: 'http://site.example/large',
    at,
    fields: [
      ['Content-Type', 'video/mp4'],
      ['ETag', '"v1"'],
    ],
    body: large,
  },
  {
    url: 'http://site.example/largechunked',
    at,
    fields: [
      ['Content-Type', 'video/mp4'],
      ['Transfer-Encoding', 'chunked'],
    ],
    body: chunked(large, 50_000),
  },
  {
    url: 'http://site.example/largegzip',
    at,
    fields: [
      ['Content-Type', 'text/css'],
      ['Content-Encoding', 'gzip'],
    ],
    body: gzipSync(large, { level: 0 }),
  },
  {
    url: 'http://site.example/ten',
    at,
    fields: [
      ['Content-Type', 'text/plain'],
      ['ETag', '"ten"'],
    ],
    body: '0123456789',
  },
  { url: 'http://site.example/empty', at, fields: html, body: '' },
  { url: 'http://site.example/nothing', at, status: 204, reason: 'No Content', fields: [], body: '' },
  {
    url: 'http://site.example/moved',
    at,
    status: 301,
    reason: 'Moved',
    fields: [['Location', 'http://site.example/']],
    body: '',
  },
  {
    url: 'http://site.example/round',
    at,
    status: 301,
    reason: 'Moved',
    fields: [['Location', 'https://site.example/round']],
    body: '',
  },
  { url: 'http://site.example/unmodified', at, status: 304, reason: 'Not Modified', fields: [], body: '' },
  { url: 'http://site.example/unmodified', at: '2024-02-28T00:00:00Z', fields: html, body: 'the one before' },
  {
    url: 'http://site.example/headers',
    at,
    fields: [
      ...html,
      ['X-Frame-Options', 'DENY'],
      ['Content-Security-Policy', "default-src 'self'; frame-ancestors 'none'"],
      ['Strict-Transport-Security', 'max-age=99'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['X-Latin', 'caf\xe9'],
      ['X-Control', 'a\x01b'],
    ],
    body: 'x',
  },
  {
    url: 'http://site.example/part',
    at,
    status: 206,
    reason: 'Partial',
    fields: [['Content-Range', 'bytes 10-19/100']],
    body: 'abcdefghij',
  },
  {
    url: 'http://site.example/wholepart',
    at,
    status: 206,
    reason: 'Partial',
    fields: [['Content-Range', 'bytes 0-4/5']],
    body: 'whole',
  },
  {
    url: 'http://site.example/original',
    at: '2024-01-01T00:00:00Z',
    fields: [...html, ['X-Whose', 'original']],
    body: 'the original body',
  },
  {
    url: 'http://site.example/again',
    at,
    type: 'revisit',
    fields: [...html, ['X-Whose', 'revisit']],
    warcFields: [
      ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'],
      ['WARC-Refers-To-Target-URI', 'http://site.example/original'],
      ['WARC-Refers-To-Date', '2024-01-01T00:00:00Z'],
    ],
  },
  {
    url: 'http://site.example/lost',
    at,
    type: 'revisit',
    warcFields: [['WARC-Refers-To-Target-URI', 'http://site.example/never']],
  },
  {
    url: 'http://site.example/bare',
    at,
    type: 'resource',
    contentType: 'text/plain',
    block: Buffer.from('a resource without a head'),
  },
  ...[Buffer.from('Wörter'), Buffer.from('Wörter', 'latin1')].map((block, index): Row => ({
    ...{ url: `file:///papers/${index}.txt`, at, type: 'resource', contentType: 'text/plain', block },
  })),
  {
    url: 'file:///papers/a%20page.html',
    at,
    type: 'resource',
    contentType: 'text/html; charset=utf-8',
    block: Buffer.from('<a href="two.html">Two</a>'),
  },
  { url: 'http://site.example/twice', at: '2024-02-01T00:00:00Z', fields: html, body: 'the good copy' },
  { url: 'https://secure.example/', at, fields: html, body: 'over TLS' },
  { url: 'http://plain.example/', at, fields: html, body: 'only captured over http' },
  {
    url: 'http://site.example/odd',
    at,
    block: Buffer.from(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\nNoColon\r\nX-Fine: yes\r\n\r\nafter an interim answer',
    ),
  },
]

let made: ArchiveFixture
let viewer: Viewer
let offsets: number[]
const problems: string[] = []
const allowedOrigins: string[] = ['http://127.0.0.1:4711']

beforeAll(async () => {
  made = await createArchive()
  offsets = await made.add({ name: '1-1-20240229-00000-loupe.warc.gz', job: 1, rows })
  await made.add({
    name: '1-1-20240229-00001-loupe.warc.gz',
    job: 1,
    rows: [
      { url: 'http://site.example/twice', at, fields: html, body: 'the bad copy' },
      { url: 'http://site.example/bad', at, fields: html, body: 'the only copy is bad' },
    ],
    // One byte in the middle of each member's deflated data.
    spoil: (bytes) => {
      const second = bytes.indexOf(Buffer.from([0x1f, 0x8b, 8]), 10)
      for (const place of [second - 30, bytes.length - 30]) bytes[place] = (bytes[place] ?? 0) ^ 0xff
    },
  })
  for (const [job, version] of [
    [1, 1],
    [1, 2],
    [10, 1],
    [21, 1],
  ] as const) {
    await made.add({
      name: `${job}-metadata-${version}.warc.gz`,
      job,
      kind: 'metadata',
      rows: [
        {
          url: `metadata://loupe/crawl/reports/of-${job}-${version}`,
          at,
          type: 'resource',
          contentType: 'text/plain',
          block: Buffer.from(`job ${job}`),
        },
      ],
    })
  }
  await made.add({
    name: '2-1-a.warc.gz',
    job: 2,
    rows: [{ url: 'http://site.example/', at: '2020-01-01T00:00:00Z', fields: html, body: 'an older job' }],
  })
  viewer = await viewerOver(made, {
    allowedOrigins,
    accessRules: () => accessRules,
    otherCaptures: (url) => ({
      captures: url === 'http://site.example/in-another-job' ? [elsewhere] : [],
      notSearched: url === 'http://site.example/in-another-job' ? [8] : [],
    }),
    onProblem: (error, failure) => problems.push(textOf(failure(message('text', { text: String(error) })))),
  })
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

const ask = (url: string, { method = 'GET', headers = {} }: Pick<Asking, 'method' | 'headers'> = {}) =>
  askOver(viewer.proxy, url, { method, headers, ...(method === 'POST' && { content: 'posted' }) })

it('reports that nothing is viewed until something is', async () => {
  const got = await ask('http://site.example/')
  expect(got.status).toBe(503)
  expect(viewer.current()).toBe(undefined)
  expect(misses()).toEqual([])
  expect(await viewer.suggest('site', 5)).toEqual([])
  await viewer.open(nearest([1]))
})

describe('replay', () => {
  const check = (
    path: string,
    expected: Partial<{ status: number; reason: string; body: string; length: string }>,
    headers: Record<string, string> = {},
  ) =>
    it(`${path} ${JSON.stringify(headers)}`, async () => {
      const got = await ask(`http://site.example${path}`, { headers })
      const seen = {
        status: got.status,
        reason: got.reason,
        body: got.body.toString(),
        length: got.headers['content-length'],
      }
      expect(seen).toMatchObject(expected)
    })

  check('/', { status: 200, reason: 'OK', body: '<h1>Hello</h1>', length: '14' })
  check('/?', { status: 200 })
  check('/cut', { body: 'shorter than it says', length: '20' })
  check('/chunked', { body: 'one two three', length: '13' })
  check('/gone', { status: 404, reason: 'Really Gone', body: 'an archived 404' })
  check('/gzip', { body: 'coded content', length: '13' })
  check('/gzip', { body: 'coded content' }, { 'accept-encoding': 'gzip;q=0, br' })
  check('/gzip', { body: gzipSync('coded content').toString() }, { 'accept-encoding': 'gzip, br' })
  check('/brotli', { body: 'brotli content', length: '14' }, { 'accept-encoding': 'gzip' })
  check('/notgzip', { body: 'stored decoded' }, { 'accept-encoding': 'gzip' })
  check('/empty', { status: 200, body: '', length: '0' })
  check('/nothing', { status: 204, body: '' })
  check('/moved', { status: 301, reason: 'Moved' })
  check('/unmodified', { status: 200, body: 'the one before' })
  check('/again', { status: 200, body: 'the original body', length: '17' })
  check('/bare', { status: 200, body: 'a resource without a head' })
  check('/odd', { status: 200, body: 'after an interim answer' })
  check('/twice', { status: 200, body: 'the good copy' })
  check('/wholepart', { status: 200, body: 'whole' })

  it.each([
    ['/truncated', 'length', 'the first bytes'],
    ['/truncated-again', 'length', 'the first bytes'],
    ['/cut', 'unspecified', 'shorter than it says'],
    ['/chunks-broken', 'framing', 'onezz\r\ntwo'],
    ['/chunks-torn', 'unspecified', 'onetw'],
  ])('says that %s is truncated (%s)', async (path, truncated, body) => {
    const url = `http://site.example${path}`
    const got = await ask(url)
    expect([got.status, got.body.toString()]).toEqual([200, body])
    expect(got.headers['x-loupe-truncated']).toBe(truncated)
    expect(viewer.answers(0).at(-1)).toMatchObject({ url, truncated })
    expect(await viewer.explain({ url, method: 'GET', isPage: false })).toMatchObject({ truncated })
  })

  it('marks no complete capture, original or revisit, as truncated', async () => {
    for (const path of [
      '/',
      '/again',
      '/chunked',
      '/largechunked',
      '/gzip',
      '/notgzip',
      '/bare',
      '/nothing',
      '/part',
    ]) {
      const url = `http://site.example${path}`
      expect((await ask(url)).headers).not.toHaveProperty('x-loupe-truncated')
      expect(viewer.answers(0).at(-1)).toMatchObject({ url, truncated: null })
      expect(await viewer.explain({ url, method: 'GET', isPage: false })).toMatchObject({ truncated: null })
    }
  })

  it('sends the fields as archived, except those that would break replay', async () => {
    const { headers } = await ask('http://site.example/headers')
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(headers['content-security-policy']).toBe("default-src 'self'")
    expect(headers['x-latin']).toBe('caf\xe9')
    expect(headers['x-control']).toBe('a b')
    expect(headers['memento-datetime']).toBe('Thu, 29 Feb 2024 12:30:05 GMT')
    expect(headers).not.toHaveProperty('x-frame-options')
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(headers['x-archive-orig-strict-transport-security']).toBe('max-age=99')
    expect(headers).not.toHaveProperty('date')
  })

  it('keeps the content coding only together with its field', async () => {
    expect(
      (await ask('http://site.example/gzip', { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'],
    ).toBe('gzip')
    expect((await ask('http://site.example/gzip')).headers).not.toHaveProperty('content-encoding')
    expect(
      (await ask('http://site.example/notgzip', { headers: { 'accept-encoding': 'gzip' } })).headers,
    ).not.toHaveProperty('content-encoding')
  })

  it('sends a revisit with its own head and time', async () => {
    const { headers } = await ask('http://site.example/again')
    expect(headers['x-whose']).toBe('revisit')
    expect(headers['memento-datetime']).toBe('Thu, 29 Feb 2024 12:30:05 GMT')
  })

  for (const path of ['/large', '/largechunked', '/largegzip']) {
    it(`streams ${path} completely`, async () => {
      const got = await ask(`http://site.example${path}`)
      expect(got.body.equals(large)).toBe(true)
      if (path === '/large') expect(got.headers['content-length']).toBe(String(large.length))
    })
  }

  it('answers HEAD like GET without the body', async () => {
    for (const path of ['/', '/large', '/gone', '/chunked']) {
      const [head, get] = [
        await ask(`http://site.example${path}`, { method: 'HEAD' }),
        await ask(`http://site.example${path}`),
      ]
      expect(head.body.length).toBe(0)
      expect({ ...head, body: undefined }).toEqual({ ...get, body: undefined })
    }
  })

  it('reports an unreadable capture as such, not as missing', async () => {
    for (const path of ['/bad', '/lost']) {
      const got = await ask(`http://site.example${path}`)
      expect([got.status, got.headers['x-loupe']]).toEqual([503, 'unreadable'])
    }
    expect((await ask('http://site.example/bad')).body.toString()).toContain('1-1-20240229-00001-loupe.warc.gz at ')
    expect(misses().filter(({ url }) => /bad|lost/.test(url))).toEqual([])
    expect(
      problems.some((problem) => problem.startsWith('A capture of http://site.example/bad could not be shown. ')),
    ).toBe(true)
  })

  it('does not loop in a redirect to the requested URL', async () => {
    expect((await ask('http://site.example/round')).headers.location).toBe('https://site.example/round')
    const tunnel = await secure('site.example')
    expect(
      (await over(tunnel, 'GET /round HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n')).split('\r\n')[0],
    ).toBe('HTTP/1.1 404 Not Found')
  })
})

// The five bugs that another desktop replay tool has (field notes on ReplayWeb.page): a miss that never answers, 206 one
// byte short, suffix ranges ignored, no 416, whole bodies in memory.
describe('ranges', () => {
  const check = (
    path: string,
    range: string,
    expected: [status: number, body: string, contentRange: string | undefined],
    headers: Record<string, string> = {},
  ) =>
    it(`${path} ${range} ${JSON.stringify(headers)}`, async () => {
      const got = await ask(`http://site.example${path}`, { headers: { range, ...headers } })
      expect([got.status, got.body.toString(), got.headers['content-range']]).toEqual(expected)
      expect(got.headers['content-length']).toBe(String(got.body.length))
    })

  check('/ten', 'bytes=0-9', [206, '0123456789', 'bytes 0-9/10'])
  check('/ten', 'bytes=0-0', [206, '0', 'bytes 0-0/10'])
  check('/ten', 'bytes=2-4', [206, '234', 'bytes 2-4/10'])
  check('/ten', 'bytes=7-', [206, '789', 'bytes 7-9/10'])
  check('/ten', 'bytes=-3', [206, '789', 'bytes 7-9/10'])
  check('/ten', 'bytes=-30', [206, '0123456789', 'bytes 0-9/10'])
  check('/ten', 'bytes=10-', [416, '', 'bytes */10'])
  check('/ten', 'bytes=-0', [416, '', 'bytes */10'])
  check('/empty', 'bytes=0-', [416, '', 'bytes */0'])
  check('/ten', 'bytes=1-2,3-5', [206, '12345', 'bytes 1-5/10'])
  check('/ten', 'bytes=4-2', [200, '0123456789', undefined])
  check('/ten', 'bytes=2-4', [206, '234', 'bytes 2-4/10'], { 'if-range': '"ten"' })
  check('/ten', 'bytes=2-4', [200, '0123456789', undefined], { 'if-range': '"eleven"' })
  check('/chunked', 'bytes=4-6', [206, 'two', 'bytes 4-6/13'])
  check('/gzip', 'bytes=0-4', [206, 'coded', 'bytes 0-4/13'], { 'accept-encoding': 'gzip' })
  check('/again', 'bytes=4-11', [206, 'original', 'bytes 4-11/17'])
  check('/gone', 'bytes=0-4', [404, 'an archived 404', undefined])
  check('/part', 'bytes=12-14', [206, 'cde', 'bytes 12-14/100'])
  check('/part', 'bytes=15-', [206, 'fghij', 'bytes 15-19/100'])

  const last = large.length - 1
  for (const path of ['/large', '/largechunked', '/largegzip']) {
    check(path, 'bytes=1000000-1000009', [
      206,
      large.subarray(1_000_000, 1_000_010).toString(),
      `bytes 1000000-1000009/${large.length}`,
    ])
    check(path, 'bytes=-5', [206, large.subarray(-5).toString(), `bytes ${last - 4}-${last}/${large.length}`])
    check(path, `bytes=${large.length}-`, [416, '', `bytes */${large.length}`])
  }

  it('a range that was not captured is missing', async () => {
    expect((await ask('http://site.example/part', { headers: { range: 'bytes=0-5' } })).status).toBe(404)
    expect((await ask('http://site.example/part')).status).toBe(404)
  })
})

describe('missing URLs', () => {
  const missesOf = (part: string) =>
    misses()
      .filter(({ url }) => url.includes(part))
      .map(({ url, referrer, method, times }) => ({ url, referrer, method, times }))

  it('get a small page that names the URL and runs nothing', async () => {
    const got = await ask('http://site.example/none?<script>alert(1)</script>', {
      headers: { referer: 'http://site.example/' },
    })
    expect(got.status).toBe(404)
    expect(got.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-loupe': 'not-in-archive',
    })
    expect(got.body.toString()).toContain('http://site.example/none?&#60;script&#62;')
    expect(got.body.toString()).not.toContain('<script')
  })

  it('are counted once for each URL, referrer and method, and can be read at once', async () => {
    for (const referer of ['http://a/', 'http://b/', 'http://a/'])
      await ask('http://site.example/counted', { headers: { referer } })
    await ask('http://site.example/counted', { method: 'POST' })
    expect(missesOf('counted')).toEqual([
      { url: 'http://site.example/counted', referrer: 'http://a/', method: 'GET', times: 2 },
      { url: 'http://site.example/counted', referrer: 'http://b/', method: 'GET', times: 1 },
      { url: 'http://site.example/counted', referrer: '', method: 'POST', times: 1 },
    ])
    await ask('http://site.example/counted', { headers: { referer: 'http://b/' } })
    expect(missesOf('counted').map(({ times }) => times)).toEqual([2, 2, 1])
  })

  it('do not include archived answers of any status', async () => {
    await ask('http://site.example/gone')
    expect(missesOf('gone')).toEqual([])
  })

  const unnoted = (url: string, headers: Record<string, string>) =>
    it(`do not include requests that browsers make by themselves: ${url}`, async () => {
      expect((await ask(url, { headers })).status).toBe(404)
      expect(missesOf(new URL(url).hostname + new URL(url).pathname)).toEqual([])
    })
  unnoted('http://clients2.google.com/time/1/current', {})
  unnoted('http://redirector.gvt1.com/edgedl/x.crx', {})
  unnoted('http://r5---sn-x.gvt1.com/edgedl/y.crx', {})
  unnoted('http://update.googleapis.com/service/update2/json', { 'sec-fetch-site': 'none' })
  unnoted('http://other.example/favicon.ico', { referer: 'http://other.example/' })
  unnoted('http://site.example/sw.js', { 'service-worker': 'script' })
  unnoted('http://site.example/socket', { connection: 'Upgrade', upgrade: 'websocket' })

  it('on the same host include requests of pages and of users', async () => {
    await ask('http://www.gstatic.com/a.js', { headers: { referer: 'http://site.example/' } })
    const asPage = { headers: { 'upgrade-insecure-requests': '1', accept: 'text/html,*/*' } }
    await ask('http://accounts.google.com/', asPage)
    await ask('http://typed.example/favicon.ico', asPage)
    const misses = ['gstatic.com/a.js', 'accounts.google', 'typed.example/favicon.ico'].flatMap(missesOf)
    expect(misses).toHaveLength(3)
  })

  it('allow a preflight request for a captured answer, and for nothing else', async () => {
    const headers = {
      origin: 'http://page.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-mine',
    }
    const got = await ask('http://site.example/ten', { method: 'OPTIONS', headers })
    expect([
      got.status,
      got.headers['access-control-allow-origin'],
      got.headers['access-control-allow-headers'],
    ]).toEqual([204, 'http://page.example', 'x-mine'])
    expect((await ask('http://site.example/never-there', { method: 'OPTIONS', headers })).status).toBe(404)
    expect(missesOf('never-there')).toMatchObject([{ method: 'OPTIONS' }])
  })

  it('are cleared for one view', async () => {
    const view = viewer.current()?.view ?? 0
    expect(viewer.clearFindings(view + 1)).toBe(0)
    expect(viewer.clearFindings(view)).toBeGreaterThan(0)
    expect(viewer.misses(view)).toEqual([])
  })
})

it('reports each answer: its source, and whether it was requested as a page', async () => {
  const heard: string[] = []
  const stop = viewer.onAnswer(({ url }) => heard.push(url))
  const before = viewer.answers(0).at(-1)?.id ?? 0
  await ask('http://site.example/', { headers: { 'upgrade-insecure-requests': '1', accept: 'text/html' } })
  await ask('http://site.example/not-there', {
    headers: { 'sec-fetch-dest': 'image', referer: 'http://site.example/' },
  })
  stop()
  await ask('http://site.example/ten')
  expect(heard).toEqual(['http://site.example/', 'http://site.example/not-there'])
  expect(viewer.answers(before).slice(0, 2)).toMatchObject([
    {
      found: true,
      status: 200,
      navigation: true,
      mediaType: 'text/html',
      bytes: 14,
      captured: '2024-02-29T12:30:05.000Z',
      job: 1,
      file: '1-1-20240229-00000-loupe.warc.gz',
      offset: offsets[0],
    },
    {
      found: false,
      status: 404,
      navigation: false,
      referrer: 'http://site.example/',
      job: null,
      file: null,
      captured: null,
    },
  ])
})

it('shows files of folders under a host name of their own, and reports their file: URLs', async () => {
  const page = 'http://files.viewerproxy.invalid/papers/a%20page.html'
  const got = await ask(`${page}?print`)
  expect(got).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  expect(got.body.toString()).toBe('<a href="two.html">Two</a>')
  for (const [index, mediaType] of ['text/plain; charset=utf-8', 'text/plain'].entries())
    expect((await ask(`http://files.viewerproxy.invalid/papers/${index}.txt`)).headers['content-type']).toBe(mediaType)
  const linked = await ask('http://files.viewerproxy.invalid/papers/two.html', { headers: { referer: page } })
  expect(linked.status).toBe(404)
  expect(linked.body.toString()).toContain('<code>file:///papers/two.html</code>')
  const two = { url: 'file:///papers/two.html', referrer: 'file:///papers/a%20page.html' }
  expect(viewer.answers(0).at(-4)).toMatchObject({ url: two.referrer, found: true })
  expect(viewer.answers(0).slice(-2)).toMatchObject([{ found: true }, { ...two, found: false }])
  expect(misses().filter(({ url }) => url === two.url)).toMatchObject([two])
})

describe('views', () => {
  it('change what is answered; missing URLs of a view continue when it is opened again', async () => {
    const first = viewer.current()
    await ask('http://site.example/in-the-first-view')
    const other = await viewer.open(newest([2]))
    expect((await ask('http://site.example/')).body.toString()).toBe('an older job')
    expect(other).toMatchObject({ jobs: [2], moment: { kind: 'newest' }, captures: 1, misses: 0 })
    const again = await viewer.open(nearest([1, 1]))
    expect(again.view).toBe(first?.view)
    expect(again.misses).toBe(viewer.misses(again.view).length)
    expect(viewer.misses(again.view).map(({ url }) => url)).toContain('http://site.example/in-the-first-view')
  })

  it('stay when another cannot be opened', async () => {
    await expect(viewer.open(newest([99]))).rejects.toMatchObject({ code: 'notFound' })
    expect(viewer.current()?.jobs).toEqual([1])
    expect((await ask('http://site.example/ten')).status).toBe(200)
  })

  it('know their pages and captures', async () => {
    expect((await viewer.suggest('secure', 5)).map(({ url }) => url)).toEqual(['https://secure.example/'])
    expect(viewer.captures('http://site.example/unmodified').map(({ status }) => status)).toEqual([200, 304])
  })
})

describe('the command host', () => {
  const command = (path: string, options?: Parameters<typeof ask>[1]) =>
    ask(`http://${viewer.commandHost}${path}`, options)
  const file = '1-1-20240229-00000-loupe.warc.gz'
  const commands =
    '/enter, /changeIndex, /startRecordingURIs, /stopRecordingURIs, /clearRecordedURIs, /getRecordedURIs, /getStatus, /getFile, /getRecord, /getPayload, /getMetadata, /cdx, /certificate, /timegate/URL, /timemap/link/URL, /timemap/json/URL, /timemap/link/PAGE/URL, /timemap/json/PAGE/URL, /memento/TIME/URL'
  const stored = (name: string) => readFile(join(made.folder, 'one', name))

  const check = (path: string, status: number, sentence: string) =>
    it(`${path} is ${status}: ${sentence}`, async () => {
      const got = await command(path)
      expect([got.status, got.body.toString()]).toEqual([status, `${sentence}\n`])
    })
  check('/getFile', 400, 'The parameter arcFile is missing.')
  check('/getFile?arcFile=', 400, 'The parameter arcFile is empty.')
  check('/getFile?arcFile=%20%20', 400, 'The parameter arcFile is empty.')
  check('/getFile?arcFile=a&arcFile=b', 400, 'The parameter arcFile was given 2 times. Give it once.')
  check('/getFile?arcFile=a&x=1', 400, '/getFile has no parameter x. Its parameters: arcFile, replica.')
  check('/getStatus?x=1', 400, '/getStatus has no parameter x. Its parameters: format, locale.')
  check('/getRecord?arcFile=a', 400, 'The parameter arcOffset is missing.')
  for (const offset of ['x', '-1', '1e3', '0x10', '1.5'])
    check(`/getRecord?arcFile=a&arcOffset=${offset}`, 400, `The parameter arcOffset must be a number: ${offset}.`)
  check('/getMetadata?jobID=one', 400, 'The parameter jobID must be a number: one.')
  check('/getMetadata?jobID=2', 404, 'The archive has no metadata of job 2.')
  check(`/getRecord?arcFile=${file}&arcOffset=1`, 404, `No record begins at offset 1 in ${file}.`)
  check(`/getRecord?arcFile=${file}&arcOffset=999999999`, 404, `No record begins at offset 999999999 in ${file}.`)
  check('/toString', 404, `There is no command /toString. Commands: ${commands}.`)
  check('/', 404, `There is no command /. Commands: ${commands}.`)

  for (const name of [
    '../loupe.db',
    '..%2Floupe.db',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/etc/passwd',
    '..\\loupe.db',
    '.loupe-replica',
    'one/../../loupe.db',
    '%00',
    'CON',
    `%0d%0aX: y`,
    "'; DROP TABLE archive_file; --",
  ]) {
    it(`refuses the file name ${name}`, async () => {
      const got = await command(`/getFile?arcFile=${encodeURI(name).replaceAll('%25', '%')}`)
      expect(got.status).toBe(name.trim() === '' ? 400 : 404)
      expect(got.headers).not.toHaveProperty('x')
    })
  }

  it('sends a whole file, or a range of it, under its name', async () => {
    const bytes = await stored(file)
    const whole = await command(`/getFile?arcFile=${file}`)
    expect(whole.body.equals(bytes)).toBe(true)
    expect(whole.headers).toMatchObject({
      'content-disposition': `attachment; filename="${file}"`,
      'content-length': String(bytes.length),
    })
    const part = await command(`/getFile?arcFile=${file}`, { headers: { range: 'bytes=100-199' } })
    expect([part.status, part.headers['content-range'], part.body.equals(bytes.subarray(100, 200))]).toEqual([
      206,
      `bytes 100-199/${bytes.length}`,
      true,
    ])
    expect((await command(`/getFile?arcFile=${file}`, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(
      416,
    )
    const head = await command(`/getFile?arcFile=${file}`, { method: 'HEAD' })
    expect([head.body.length, head.headers['content-length']]).toEqual([0, String(bytes.length)])
  })

  it('sends a file from the requested replica, and names the replica it came from', async () => {
    const asked = await command(`/getFile?arcFile=${file}&replica=one`)
    expect([asked.headers['x-loupe-replica'], asked.body.equals(await stored(file))]).toEqual(['one', true])
    expect((await command(`/getFile?arcFile=${file}`)).headers['x-loupe-replica']).toBe('one')
    expect((await command(`/getFile?arcFile=${file}&replica=two`)).status).toBe(404)
  })

  it('sends each record decompressed', async () => {
    const bytes = gunzipSync(await stored(file))
    const parts = []
    for (const offset of offsets) parts.push((await command(`/getRecord?arcFile=${file}&arcOffset=${offset}`)).body)
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    const { headers } = await command(`/getRecord?arcFile=${file}&arcOffset=0`)
    expect(headers['content-disposition']).toBe('attachment; filename="1-1-20240229-00000-loupe-0.warc"')
  })

  it('sends the metadata of exactly one job', async () => {
    const got = await command('/getMetadata?jobID=1')
    expect(
      got.body.equals(Buffer.concat([await stored('1-metadata-1.warc.gz'), await stored('1-metadata-2.warc.gz')])),
    ).toBe(true)
    expect(got.headers['content-disposition']).toBe('attachment; filename="1-metadata.warc.gz"')
  })

  it('sends its status to the interface only', async () => {
    const own = await command('/getStatus?format=json', { headers: { origin: 'http://127.0.0.1:4711' } })
    expect(JSON.parse(own.body.toString())).toMatchObject({ proxy: 'Loupe', view: { available: [1] } })
    expect(own.headers['access-control-allow-origin']).toBe('http://127.0.0.1:4711')
    const page = await command('/getStatus?format=json', { headers: { origin: 'http://site.example' } })
    expect(page.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('sends its certificate', async () => {
    const got = await command('/certificate')
    expect(got.body.equals(await readFile(viewer.certificate.path))).toBe(true)
  })

  it('answers GET, and its requests are never missing', async () => {
    expect((await command('/getFile?arcFile=x', { method: 'POST' })).status).toBe(405)
    expect(misses().filter(({ url }) => url.includes(viewer.commandHost))).toEqual([])
    expect(viewer.answers(0).filter(({ url }) => url.includes(viewer.commandHost))).toEqual([])
  })
})

/** Everything that comes until the other end closes. */
function over(socket: Socket | TLSSocket, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(heard))
    socket.write(text)
  })
}

async function tunnel(target: string): Promise<Socket> {
  const socket = connect({ host: viewer.proxy.host, port: viewer.proxy.port })
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
  const head = await new Promise<string>((resolve) => socket.once('data', (bytes: Buffer) => resolve(bytes.toString())))
  expect(head).toBe('HTTP/1.1 200 Connection established\r\n\r\n')
  return socket
}

async function secure(name: string, servername = name): Promise<TLSSocket> {
  const socket = await tunnel(`${name.includes(':') ? `[${name}]` : name}:443`)
  const ca = await readFile(viewer.certificate.path)
  return new Promise((resolve, reject) => {
    const end = connectTls(
      {
        socket,
        ca,
        ALPNProtocols: ['http/1.1'],
        ...(/^[\d.:]+$/.test(servername) ? { host: servername } : { servername }),
      },
      () => resolve(end),
    )
    end.on('error', reject)
  })
}

describe('tunnels', () => {
  const get = (path: string, host: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

  it('use TLS with a certificate of this archive, and send the authority in the chain', async () => {
    const end = await secure('secure.example')
    expect(end.authorized).toBe(true)
    expect(end.alpnProtocol).toBe('http/1.1')
    const leaf = end.getPeerCertificate(true)
    expect(leaf.subjectaltname).toBe('DNS:secure.example')
    expect(leaf.issuerCertificate.subject.O).toBe('Loupe')
    expect(await over(end, get('/', 'secure.example'))).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*over TLS$/)
  })

  it('answer https with captures made over http', async () => {
    expect(await over(await secure('plain.example'), get('/', 'plain.example'))).toContain('only captured over http')
  })

  const names = [
    'a.b.c.d.example',
    'x_y.example',
    `${'long-label-of-a-host-name.'.repeat(6)}example`,
    '192.0.2.7',
    '2001:db8::7',
  ]
  for (const name of names) {
    it(`accept the name ${name}`, async () => {
      const end = await secure(name)
      expect(end.authorized).toBe(true)
      expect(await over(end, get('/nothing-here', name.includes(':') ? `[${name}]` : name))).toMatch(/^HTTP\/1\.1 404/)
    })
  }

  it('use the name of the client hello when it differs', async () => {
    expect((await secure('secure.example', 'plain.example')).getPeerCertificate().subjectaltname).toBe(
      'DNS:plain.example',
    )
  })

  it('carry plain HTTP too, as ws:// does', async () => {
    expect(await over(await tunnel('site.example:80'), get('/ten', 'site.example'))).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[^]*0123456789$/,
    )
    const socket = 'GET /socket HTTP/1.1\r\nHost: site.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    expect(await over(await tunnel('site.example:80'), socket)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[^]*WebSockets/)
  })

  it('answer HTTP/1.1 clients that prefer HTTP/2', async () => {
    const asked = 'GET /ten HTTP/1.1\r\nHost: site.example\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
    expect(await over(await tunnel('site.example:80'), asked)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*0123456789$/)
  })

  it('answer pipelined requests in order', async () => {
    const end = await secure('secure.example')
    const asked = ['/1', '/', '/2', '/'].map((path) => `GET ${path} HTTP/1.1\r\nHost: secure.example\r\n\r\n`)
    const heard = await over(end, asked.join('') + get('/3', 'secure.example'))
    expect([...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '404',
      '200',
      '404',
      '200',
      '404',
    ])
  })

  const refused = (target: string) =>
    it(`are refused for ${target}`, async () => {
      const socket = connect({ host: viewer.proxy.host, port: viewer.proxy.port })
      expect(await over(socket, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
    })
  for (const target of [
    'example.com',
    'example.com:',
    'exa mple:443',
    '[::1:443',
    '[zz]:443',
    'a/b:443',
    `${'a'.repeat(300)}:443`,
    'b\xfccher.example:443',
  ])
    refused(target)

  it('lead only to the archive', async () => {
    const end = await tunnel(`127.0.0.1:${viewer.proxy.port}`)
    expect(await over(end, get('/', '127.0.0.1'))).toMatch(/^HTTP\/1\.1 404/)
  })

  it('are refused inside a tunnel', async () => {
    const end = await tunnel('site.example:80')
    expect(await over(end, 'CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('the port', () => {
  const send = (text: string) => over(connect({ host: viewer.proxy.host, port: viewer.proxy.port }), text)

  it('explains itself to a browser that opens it as a site', async () => {
    const heard = await send('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
    expect(heard).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(heard).toContain('This is the viewer port of Loupe, an HTTP proxy')
  })

  const check = (what: string, text: string, status: string) =>
    it(`${what} is ${status}`, async () => expect((await send(text)).split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`))
  check('noise', 'hello\r\n\r\n', '400 Not an HTTP request')
  check('TLS', '\x16\x03\x01\x02\x00\x01\x00', '400 Not an HTTP request')
  check(
    'an endless head',
    `GET http://a/ HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
    '431 Request head too large',
  )
  check('another scheme', 'GET ftp://a/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '400 Bad Request')
  check('an invalid address', 'GET http://[::x/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '400 Bad Request')

  it('listens on loopback only', () => expect(viewer.proxy.host).toBe('127.0.0.1'))

  it('keeps a connection for the next request', async () => {
    const heard = await send(
      'GET http://site.example/ten HTTP/1.1\r\nHost: site.example\r\n\r\nGET http://site.example/ HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n',
    )
    expect(heard).toMatch(/0123456789HTTP\/1\.1 200 OK[^]*<h1>Hello<\/h1>$/)
  })

  it('continues when a browser breaks off within a large answer', async () => {
    for (let time = 0; time < 5; time++) {
      await new Promise<void>((broken) => {
        const socket = connect({ host: viewer.proxy.host, port: viewer.proxy.port })
        socket.once('data', () => socket.resetAndDestroy())
        socket.on('close', () => broken())
        socket.write('GET http://site.example/largechunked HTTP/1.1\r\nHost: site.example\r\n\r\n')
      })
    }
    expect((await ask('http://site.example/ten')).status).toBe(200)
    expect(problems.filter((problem) => problem.includes(' could not be answered. '))).toEqual([])
  })
})
