import { operator } from './testing/viewerFixture.ts'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  large,
  misses,
  viewer,
  problems,
  ask,
  over,
  secure,
  withArchivedSite,
  nearest,
} from './testing/archivedSite.ts'

withArchivedSite()
beforeAll(async () => void (await viewer.open(nearest([1]))))

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
  ])('marks %s as truncated (%s)', async (path, truncated, body) => {
    const url = `http://site.example${path}`
    const got = await ask(url)
    expect([got.status, got.body.toString()]).toEqual([200, body])
    expect(got.headers['x-loupe-truncated']).toBe(truncated)
    expect(viewer.answers(0).at(-1)).toMatchObject({ url, truncated })
    expect(await viewer.explain({ url, method: 'GET', isPage: false }, operator)).toMatchObject({ truncated })
  })

  it('does not mark a complete capture, original or revisit, as truncated', async () => {
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
      expect(await viewer.explain({ url, method: 'GET', isPage: false }, operator)).toMatchObject({ truncated: null })
    }
  })

  it('sends the headers as archived, except those that would break replay', async () => {
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

  it('keeps the content coding only together with its header', async () => {
    expect(
      (await ask('http://site.example/gzip', { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'],
    ).toBe('gzip')
    expect((await ask('http://site.example/gzip')).headers).not.toHaveProperty('content-encoding')
    expect(
      (await ask('http://site.example/notgzip', { headers: { 'accept-encoding': 'gzip' } })).headers,
    ).not.toHaveProperty('content-encoding')
  })

  it('sends a revisit with its own headers and date', async () => {
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

  it('responds to HEAD as to GET, without the body', async () => {
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

  it('does not loop on a redirect to the requested URL', async () => {
    expect((await ask('http://site.example/round')).headers.location).toBe('https://site.example/round')
    const tunnel = await secure('site.example')
    expect(
      (await over(tunnel, 'GET /round HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n')).split('\r\n')[0],
    ).toBe('HTTP/1.1 404 Not Found')
  })
})

// Five known bugs of another desktop replay tool (ReplayWeb.page): a missing URL never gets a response, 206 bodies are one byte
// short, suffix ranges are ignored, 416 is never sent, and whole bodies are held in memory.
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
