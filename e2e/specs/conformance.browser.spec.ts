/** The rows of the conformance table that a page can request, requested by a page in a real browser: http through the proxy in
 *  HTTP/1.1, https in HTTP/2. Also what a browser does with answers on its own: following redirects, decoding, keeping cookies. */
import { expect, test } from '@playwright/test'
import type { Moment } from '../../src-main/indexes/indexes.ts'
import type { ArchiveFixture } from '../../src-main/indexes/testing/archiveFixture.ts'
import { openWindow } from '../../src-main/shells/server/chromium.ts'
import { capturedAt, host, type Case, type Way } from '../../src-main/viewer/testing/conformance/case.ts'
import { archivedTable, next, pathOf, table } from '../../src-main/viewer/testing/conformance/table.ts'
import { viewerOver } from '../../src-main/viewer/testing/viewerFixture.ts'
import type { Viewer } from '../../src-main/viewer/viewer.ts'
import { openAppWindow, type AppWindow } from '../appWindow.ts'

let made: ArchiveFixture
let viewer: Viewer
let window: AppWindow

/** Returns the number of a row of the table. */
function rowNamed(name: string): number {
  const number = table.findIndex((row) => row.name === name)
  if (number < 0) throw new Error(`no row is named: ${name}`)
  return number
}

/** Pages of both schemes whose resources use http. */
const styled = 'styled.example'
const styledRows = [
  ...['http', 'https'].map((scheme) => ({
    ...{ url: `${scheme}://${styled}/`, at: capturedAt },
    body: `<!doctype html><link rel="stylesheet" href="http://${styled}/a.css"><script src="http://${styled}/a.js"></script>`,
  })),
  { url: `http://${styled}/a.css`, at: capturedAt, fields: typeOf('text/css'), body: 'html { color: rgb(1, 2, 3) }' },
  { url: `http://${styled}/a.js`, at: capturedAt, fields: typeOf('text/javascript'), body: 'document.title = "run"' },
]

/** A page with a part from another site, which was harvested without naming the page that requested it. */
const across = { page: 'https://reader.example/', part: 'https://lender.example/part.js' }
const acrossRows = [
  { url: across.page, at: capturedAt, body: `<!doctype html><script type="module" src="${across.part}"></script>` },
  { url: across.part, at: capturedAt, fields: typeOf('text/javascript'), body: 'document.title = "lent"' },
]

function typeOf(mediaType: string) {
  return [['Content-Type', mediaType]] as const
}

test.beforeAll(async () => {
  made = await archivedTable()
  await made.add({ name: '1-2-styled.warc.gz', job: 1, rows: [...styledRows, ...acrossRows] })
  viewer = await viewerOver(made)
  await viewer.open({ jobs: [1], moment: { kind: 'nearest', atMs: Date.parse(capturedAt) }, withinMs: undefined })
  const { port } = viewer.proxy
  const { spkiSha256 } = viewer.certificate
  window = await openAppWindow((chromium, { headless }) =>
    openWindow(chromium, { appUrl: `https://${host}/`, appPort: port, proxyPort: port, spkiSha256, headless }),
  )
})

test.afterAll(async () => {
  await window.close()
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

const schemes: [scheme: string, way: Way, protocol: string][] = [
  ['http', 'plain', 'http/1.1'],
  ['https', 'http2', 'h2'],
]
for (const [scheme, way, protocol] of schemes) {
  test(`a page over ${scheme} is answered according to the table`, async () => {
    const { page } = window
    await page.goto(`${scheme}://${host}${next.path}`)
    await expect(page.locator('body')).toHaveText(next.body)
    expect(
      await page.evaluate(
        () => (performance.getEntriesByType('navigation')[0] as PerformanceResourceTiming).nextHopProtocol,
      ),
    ).toBe(protocol)
    const rows = table.flatMap((row, number) =>
      canPageAsk(row, way) ? [{ row, path: pathOf(number, row.ask?.path) }] : [],
    )
    expect(rows.length).toBeGreaterThanOrEqual(120)
    const seen = await page.evaluate(
      askAll,
      rows.map(({ row: { ask = {} }, path }) => ({ ...ask, path })),
    )
    for (const [index, { row }] of rows.entries()) expectThat(seen[index], row)
  })
}

for (const [scheme, way, protocol] of schemes) {
  const origin = `${scheme}://${host}`
  const rowsWith = (isOf: (row: Case) => boolean) =>
    table.flatMap((row, number) =>
      isOf(row) && row.ways?.includes(way) !== false ? [{ row, path: pathOf(number, row.ask?.path) }] : [],
    )

  test(`over ${scheme} a redirect leads to the archived URL, and only the archive is asked for it`, async () => {
    const { page } = window
    const rows = rowsWith(({ comes }) => comes.fields?.['location'] !== undefined)
    expect(rows.length).toBeGreaterThanOrEqual(3)
    for (const { row, path } of rows) {
      const asked = `${origin}${path}`
      // A browser decodes the bytes of the field as UTF-8.
      const location = Buffer.from(String(row.comes.fields?.['location']), 'latin1').toString()
      const leadsTo = new URL(location, asked).href
      await page.goto(asked)
      expect.soft(page.url(), row.name).toBe(leadsTo)
      const answers = viewer.answers(0).filter(({ navigation }) => navigation)
      expect
        .soft(
          answers.slice(-2).map(({ url, status }) => [url, status]),
          row.name,
        )
        .toEqual([
          [asked, row.comes.status],
          [leadsTo, 404],
        ])
    }
  })

  test(`over ${scheme} an encoded body is decoded, whatever ${protocol} accepts`, async () => {
    const { page } = window
    await page.goto(`${origin}${next.path}`)
    const rows = rowsWith(({ comes }) => comes.decoded !== undefined)
    expect(rows.length).toBeGreaterThanOrEqual(15)
    const seen = await page.evaluate(
      askAll,
      rows.map(({ path }) => ({ path })),
    )
    for (const [index, { row }] of rows.entries()) {
      expect.soft(seen[index]?.status, row.name).toBe(200)
      expect.soft(seen[index]?.body === Buffer.from(row.comes.decoded ?? '').toString('latin1'), row.name).toBe(true)
    }
  })

  test(`over ${scheme} a cookie is kept until the browser is closed, or not at all`, async () => {
    const { page } = window
    const store = page.context()
    const rows = rowsWith(({ comes }) => comes.cookies !== undefined)
    expect(rows.length).toBeGreaterThanOrEqual(4)
    for (const { row, path } of rows) {
      await store.clearCookies()
      await page.goto(`${origin}${path}`)
      const kept = await store.cookies(page.url())
      expect.soft(kept.map(({ name, value }) => `${name}=${value}`).toSorted(), row.name).toEqual(row.comes.cookies)
      // An expiry of -1 is Playwright's value for a session cookie.
      expect
        .soft(
          kept.map(({ expires }) => expires),
          row.name,
        )
        .toEqual(kept.map(() => -1))
    }
    await store.clearCookies()
  })
}

test('what a browser has cached from one time is never shown at another', async () => {
  const { page } = window
  await page.goto(`https://${host}${next.path}`)
  const path = pathOf(rowNamed('the date of the view selects the capture'))
  const shownAt = async (moment: Moment) => {
    await viewer.open({ jobs: [1], moment, withinMs: undefined })
    return page.evaluate(async (url) => (await fetch(url)).text(), path)
  }
  const then: Moment = { kind: 'nearest', atMs: Date.parse(capturedAt) }
  for (const time of ['first', 'again']) {
    expect(await shownAt(then), time).toBe('shortly before')
    expect(await shownAt({ kind: 'newest' }), time).toBe('long after')
    expect(await shownAt({ kind: 'oldest' }), time).toBe('long before')
  }
  // Within one moment the browser's cache is used: it revalidates and receives 304.
  expect(await shownAt({ kind: 'oldest' })).toBe('long before')
  const bytesReceived = await page.evaluate((url) => {
    const [last] = performance.getEntriesByName(new URL(url, location.href).href).slice(-1)
    return last instanceof PerformanceResourceTiming ? last.transferSize : null
  }, path)
  // The size that Resource Timing reports for a revalidated response: the head without a body.
  expect(bytesReceived).toBe(300)
  // The viewer logs the status of the capture.
  expect(viewer.answers(0).at(-1)).toMatchObject({ status: 200 })
  await shownAt(then)
})

for (const scheme of ['http', 'https'])
  test(`a page over ${scheme} is requested by its captured URL, and gets its http resources`, async () => {
    const { page } = window
    await page.goto(`${scheme}://${styled}/`)
    expect(page.url()).toBe(`${scheme}://${styled}/`)
    await expect(page).toHaveTitle('run')
    await expect(page.locator('html')).toHaveCSS('color', 'rgb(1, 2, 3)')
    const urls = viewer.answers(0).map(({ url }) => url)
    expect(urls.slice(urls.lastIndexOf(page.url()) + 1).toSorted()).toEqual([
      `http://${styled}/a.css`,
      `http://${styled}/a.js`,
    ])
  })

test('a page may read resources that another site shares, also from the cache', async () => {
  const { page } = window
  await page.goto(across.page)
  await expect(page).toHaveTitle('lent')
  // The ways in which a page may ask: without CORS as for a picture, with credentials, without them, and with a field that needs a
  // preflight.
  const read = await page.evaluate(async (url) => {
    const asks: RequestInit[] = [
      { mode: 'no-cors' },
      { credentials: 'include' },
      { credentials: 'omit' },
      { headers: { 'x-mine': '1' } },
    ]
    const texts: string[] = []
    for (const ask of asks) texts.push(await (await fetch(url, ask)).text())
    return texts
  }, across.part)
  expect(read).toEqual(['', ...Array.from({ length: 3 }, () => acrossRows[1]?.body)])
})

test('a WebSocket of a page is refused cleanly: it gets an error and a close, and the page continues', async () => {
  const { page } = window
  const number = rowNamed('a WebSocket is refused')
  for (const scheme of ['http', 'https']) {
    await page.goto(`${scheme}://${host}${next.path}`)
    const socket = `${scheme.replace('http', 'ws')}://${host}${pathOf(number)}`
    const outcome = await page.evaluate(async (url) => {
      const web = new WebSocket(url)
      const heard: string[] = []
      for (const name of ['open', 'message', 'error']) web.addEventListener(name, () => heard.push(name))
      const closed = await new Promise<CloseEvent>((over) => web.addEventListener('close', over))
      return [heard, closed.wasClean, closed.code, web.readyState === WebSocket.CLOSED, (await fetch('/')).status]
    }, socket)
    expect(outcome).toEqual([['error'], false, 1006, true, 200])
    expect(viewer.answers(0).findLast(({ by }) => by === 'refusals')?.url).toBe(socket.replace(/^ws/, 'http'))
  }
})

/** Header fields that a script may set (Fetch 2.2.2). */
const conditions = ['if-match', 'if-unmodified-since', 'if-none-match', 'if-modified-since', 'if-range']
const sayable = new Set(['range', 'content-type', ...conditions])

function canPageAsk({ ask = {}, comes, ways }: Case, way: Way): boolean {
  const { method = 'GET', path = '', fields = [] } = ask
  const isRedirect = comes.status > 300 && comes.status < 400 && comes.status !== 304
  return (
    ways?.includes(way) !== false &&
    method !== 'TRACE' &&
    !isRedirect &&
    /^[\x21-\x7e]*$/.test(path) &&
    fields.every(([name]) => sayable.has(name.toLowerCase()))
  )
}

interface Seen {
  status: number
  fields: [string, string][]
  /** One character per byte; undefined when the body was cut off. */
  body: string | undefined
}

/** Requests each of the cases with `fetch`. Runs in the page. */
async function askAll(asks: readonly (NonNullable<Case['ask']> & { path: string })[]): Promise<Seen[]> {
  const ask = async ({ method = 'GET', path, fields = [], content, eTagIn }: (typeof asks)[number]): Promise<Seen> => {
    const eTag = eTagIn === undefined ? null : (await fetch(path, { cache: 'no-store' })).headers.get('etag')
    const headers: [string, string][] = fields.map(([name, value]) => [name, value])
    if (eTagIn !== undefined) headers.push([eTagIn, eTag ?? ''])
    const sent = content === undefined ? {} : { body: content }
    const answer = await fetch(path, { method, headers, cache: 'no-store', ...sent })
    const body = await answer.arrayBuffer().catch(() => undefined)
    const bytes = body && new Uint8Array(body)
    return {
      status: answer.status,
      fields: [...answer.headers],
      body: bytes && Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
    }
  }
  const seen: Seen[] = []
  // Ten at a time, as a browser would.
  for (let at = 0; at < asks.length; at += 10) seen.push(...(await Promise.all(asks.slice(at, at + 10).map(ask))))
  return seen
}

/** Fields that a browser hides from scripts or that depend on its Accept fields. */
const itsOwn = new Set(['set-cookie', 'content-length', 'content-encoding', 'transfer-encoding', 'connection', 'vary'])

function expectThat(seen: Seen | undefined, { name, comes }: Case): void {
  expect.soft([seen?.status, seen?.body === undefined], name).toEqual([comes.status, comes.isBroken === true])
  for (const [field, values] of Object.entries(comes.fields ?? {})) {
    if (itsOwn.has(field)) continue
    const said = seen?.fields.filter(([shown]) => shown === field).map(([, value]) => value)
    const wanted = [values].flat()
    expect.soft(said, `${name}: ${field}`).toEqual(wanted.length === 0 ? [] : [wanted.join(', ')])
  }
  for (const [field, value] of Object.entries(comes.fieldsHave ?? {}))
    expect.soft(seen?.fields.find(([shown]) => shown === field)?.[1], `${name}: ${field}`).toContain(value)
  if (comes.body !== undefined)
    expect.soft(seen?.body === Buffer.from(comes.body).toString('latin1'), `${name}: the body`).toBe(true)
  if (comes.bodyHas !== undefined) expect.soft(seen?.body, name).toContain(comes.bodyHas)
}
