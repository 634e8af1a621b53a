import { describe, expect, it } from 'vitest'
import type { Chosen } from './viewer.ts'
import { misses, viewer, offsets, ask, withArchivedSite, nearest } from './testing/archivedSite.ts'

withArchivedSite()

const newest = (jobs: number[]): Chosen => ({ jobs, moment: { kind: 'newest' }, withinMs: undefined })

it('explains that no view is open until one is', async () => {
  const got = await ask('http://site.example/')
  expect(got.status).toBe(503)
  expect(viewer.current()).toBe(undefined)
  expect(misses()).toEqual([])
  expect(await viewer.suggest('site', 5)).toEqual([])
  await viewer.open(nearest([1]))
})

describe('missing URLs', () => {
  const missesOf = (part: string) =>
    misses()
      .filter(({ url }) => url.includes(part))
      .map(({ url, referrer, method, times }) => ({ url, referrer, method, times }))

  it('get a small page that names the URL and runs no script of it', async () => {
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
    // One of the page itself, which removes its links in a frame.
    expect(got.body.toString().match(/<script[^]*?<\/script>/g)).toEqual([expect.stringContaining('self !== top')])
  })

  it('are listed once per URL, referrer and method, and can be read at once', async () => {
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

  it('do not include archived responses, whatever their status', async () => {
    await ask('http://site.example/gone')
    expect(missesOf('gone')).toEqual([])
  })

  const unnoted = (url: string, headers: Record<string, string>) =>
    it(`do not include automatic requests of browsers: ${url}`, async () => {
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

  it('include requests of pages and users for the same hosts', async () => {
    await ask('http://www.gstatic.com/a.js', { headers: { referer: 'http://site.example/' } })
    const asPage = { headers: { 'upgrade-insecure-requests': '1', accept: 'text/html,*/*' } }
    await ask('http://accounts.google.com/', asPage)
    await ask('http://typed.example/favicon.ico', asPage)
    const misses = ['gstatic.com/a.js', 'accounts.google', 'typed.example/favicon.ico'].flatMap(missesOf)
    expect(misses).toHaveLength(3)
  })

  it('include a preflight request, unless its URL was captured', async () => {
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

it('reports each reply with its source and whether it was requested as a page', async () => {
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

it('shows files from folders under a separate host name, and reports their file: URLs', async () => {
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
  it('select the captures, and continue their list of missing URLs when they are opened again', async () => {
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

  it('stay open when another cannot be opened', async () => {
    await expect(viewer.open(newest([99]))).rejects.toMatchObject({ code: 'notFound' })
    expect(viewer.current()?.jobs).toEqual([1])
    expect((await ask('http://site.example/ten')).status).toBe(200)
  })

  it('list their pages and captures', async () => {
    expect((await viewer.suggest('secure', 5)).map(({ url }) => url)).toEqual(['https://secure.example/'])
    expect(viewer.captures('http://site.example/unmodified').map(({ status }) => status)).toEqual([200, 304])
  })
})
