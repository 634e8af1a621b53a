/** Rewritten replay in a Chromium without the proxy: a harvested site in the frame of Loupe's page, what is missing, and what an archived page
 *  cannot reach. */
import { createServer } from 'node:http'
import { chromium, expect, test, type Browser, type Frame, type Page } from '@playwright/test'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import { fileOf, pictureSize, tide } from '../sites/archiveFiles.ts'
import { harvestOf } from '../cli/harvested.ts'
import { loupe as commandLine } from '../loupeProcess.ts'
import { listen, type Listening } from '../sites/server.ts'
import { startTwoHosts } from '../sites/twoHosts.ts'
import { expectAccessible, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'
import { pictureIn } from './packageReader.ts'

const site = 'http://tides.test'
const at = '2020-02-02T10:20:30Z'

let loupe: OpenedLoupe
let browser: Browser
/** A browser without any setting of Loupe's. */
let page: Page
/** A server outside of the archive. */
let liveWeb: Listening
const reachedLiveWeb: string[] = []

const html = (title: string, body: string) => `<!doctype html><html lang="en"><title>${title}</title>${body}</html>`
const script = `fetch('/data.json')
  .then((answer) => answer.json())
  .then(({ text }) => {
    document.querySelector('#made').textContent = text + ' at ' + location.href
    const picture = new Image()
    picture.alt = 'Made by a script'
    picture.src = '/' + 'tide.png?made'
    document.body.append(picture)
  })`
const welcome = `<link rel="stylesheet" href="/style.css"><h1>Tides</h1>
<img alt="The tide" src="${site}/tide.png"><img alt="Not captured" src="/absent.png"><p id="made"></p><script src="/make.js"></script>
<p><a href="/moved">Moved</a> <a target="_blank" href="/second">In a window</a> <a href="/forbidden">Forbidden</a></p>`

function captures() {
  const row = (path: string, mediaType: string, content: string | Buffer, further = {}) => ({
    ...{ url: `${site}${path}`, at, mediaType, content },
    ...further,
  })
  return [
    row('/', 'text/html', html('Tides', welcome)),
    row('/style.css', 'text/css', 'h1 { color: rgb(1, 2, 3) } body { background: url(/tide.png) }'),
    row('/make.js', 'text/javascript', script),
    row('/data.json', 'application/json', '{"text":"Made"}'),
    row('/tide.png', 'image/png', tide),
    row('/tide.png?made', 'image/png', tide),
    row('/moved', 'text/html', '', { status: '302 Found', head: 'Location: /second\r\n' }),
    row('/second', 'text/html', html('Second', '<h1>Second page</h1>')),
    row('/forbidden', 'text/html', html('Forbidden', '<h1>Forbidden then</h1>'), { status: '403 Forbidden' }),
    row('/film.webm', 'video/webm', Buffer.alloc(1_000_000, 'film')),
    row('/worker.js', 'text/javascript', 'self.addEventListener("fetch", () => undefined)'),
    row('/hostile', 'text/html', html('Hostile', '<h1>Hostile</h1>')),
    row(
      '/leaving',
      'text/html',
      html(
        'Leaving',
        `<h1>Leaving</h1><link rel="stylesheet" href="http://${liveWeb.address}/css"><img src="http://${liveWeb.address}/img">`,
      ),
    ),
  ]
}

test.beforeAll(async () => {
  const live = createServer((request, response) => {
    reachedLiveWeb.push(request.url ?? '')
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' }).end('live')
  })
  liveWeb = await listen(live)
  loupe = await openLoupe('rewritten')
  await importFile(loupe, 'tides.warc.gz', fileOf(captures()))
  await services().viewer.open({ jobs: [1], untilWhole: true })
  const found = findChromium()
  if (found.path === undefined) throw new Error(found.why)
  browser = await chromium.launch({ executablePath: found.path })
  page = await (await browser.newContext()).newPage()
})
test.afterAll(async () => {
  await browser.close()
  await loupe.close()
  await liveWeb.close()
})

const services = () => loupe.serving.engine.services
const pagesOrigin = () => loupe.serving.rewritten.replace('http://', 'http://pages.').replace(/\/$/, '')
const facts = () => page.locator('output')

/** Loads an archived page, also if it is shown already, and returns its frame. */
async function opened(path: string, title: string): Promise<Frame> {
  await page.goto('about:blank')
  await page.goto(`${loupe.serving.rewritten}#/${site}${path}`)
  const shown = () => page.frame({ name: '___wb_replay_top_frame' })
  await expect.poll(() => shown()?.title()).toBe(title)
  const frame = shown()
  if (!frame) throw new Error('the frame shows a page')
  return frame
}

test('the viewer offers to open the page in a browser that does not use the proxy', async () => {
  const ordinary = await (await browser.newContext()).newPage()
  await ordinary.goto(loupe.serving.url)
  await ordinary.getByRole('link', { name: 'Viewer', exact: true }).click()
  await ordinary.getByRole('combobox', { name: 'Page URL' }).fill(`${site}/`)
  await ordinary.getByRole('combobox', { name: 'Page URL' }).press('Enter')
  const link = ordinary.getByRole('link', { name: 'Open in this browser' })
  await expect(link).toHaveAttribute('href', `${loupe.serving.rewritten}#/${site}/`)
  await expectAccessible(ordinary)
  const [tab] = await Promise.all([ordinary.context().waitForEvent('page'), link.click()])
  await expect(tab.frameLocator('iframe').getByRole('heading')).toHaveText('Tides')
  await ordinary.context().close()
})

test('a page is shown with its images, style sheet and scripts, is marked as rewritten and dated', async () => {
  const frame = await opened('/', 'Tides')
  await expect(frame.locator('h1')).toHaveCSS('color', 'rgb(1, 2, 3)')
  expect(await pictureIn(frame, 'The tide')).toEqual(pictureSize)
  await expect(frame.locator('#made')).toHaveText(`Made at ${site}/`)
  expect(await pictureIn(frame, 'Made by a script')).toEqual(pictureSize)
  await expect(page.getByRole('heading', { name: 'Rewritten replay' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Page URL' })).toHaveValue(`${site}/`)
  await expect(facts()).toHaveText('Captured 2020-02-02 10:20:30 UTC')
  await expectAccessible(page)
})

test('what the page lacks is on the list of missing URLs, with the page', async () => {
  const list = await services().missing.list({})
  expect(list.map(({ url, referrer, resourceType }) => ({ url, referrer, resourceType }))).toEqual([
    { url: `${site}/absent.png`, referrer: `${site}/`, resourceType: 'image' },
  ])
})

test('links, redirects, links to windows and archived errors lead to captures, under the URLs that they had', async () => {
  const frame = await opened('/', 'Tides')
  const field = page.getByRole('textbox', { name: 'Page URL' })
  await frame.getByRole('link', { name: 'Moved' }).click()
  await expect(frame.locator('h1')).toHaveText('Second page')
  await expect(field).toHaveValue(`${site}/second`)
  await field.fill(`${site}/`)
  await page.getByRole('button', { name: 'Open' }).click()
  await frame.getByRole('link', { name: 'In a window' }).click()
  await expect(frame.locator('h1')).toHaveText('Second page')
  const again = await opened('/', 'Tides')
  await again.getByRole('link', { name: 'Forbidden' }).click()
  await expect(again.locator('h1')).toHaveText('Forbidden then')
  const [error] = await services().viewer.errors({})
  expect(error).toMatchObject({ url: `${site}/forbidden`, status: 403, referrer: `${site}/` })
})

test('a part of a film is answered with that part', async () => {
  const frame = await opened('/', 'Tides')
  const part = await frame.evaluate(async () => {
    const answer = await fetch('/film.webm', { headers: { range: 'bytes=400002-400005' } })
    return [answer.status, answer.headers.get('content-range'), await answer.text()]
  })
  expect(part).toEqual([206, 'bytes 400002-400005/1000000', 'lmfi'])
})

test('a missing page says so, and is on the list', async () => {
  await page.goto('about:blank')
  await page.goto(`${loupe.serving.rewritten}#/${site}/never`)
  await expect(page.frameLocator('iframe').getByText('This URL was not captured')).toBeVisible()
  await expect(facts()).toHaveText('Not in the archive')
  const list = await services().missing.list({})
  expect(list.find(({ url }) => url === `${site}/never`)).toMatchObject({ resourceType: 'document', referrer: '' })
})

/** Opens an archived page as it was captured, which wabac.js offers, too: with the browser's own functions, and not those that wabac.js replaces. */
async function openedUnchanged(path: string, title: string): Promise<Frame> {
  const frame = await opened('/second', 'Second')
  await frame.goto(`${pagesOrigin()}/w/archive/id_/${site}${path}`)
  expect(await frame.evaluate(() => [document.title, 'wbinfo' in window])).toEqual([title, false])
  return frame
}

/** Calls the contract from a page in every way that a browser has, and reports what could be read. */
function callsFrom(where: Page | Frame, urls: readonly string[], token: string): Promise<string[]> {
  return where.evaluate(
    async ([targets, sent]) => {
      const read: string[] = []
      for (const url of targets) {
        for (const mode of ['cors', 'no-cors'] as const) {
          const headers = mode === 'cors' ? { authorization: `Bearer ${sent}`, 'content-type': 'application/json' } : {}
          const asking = fetch(url, { method: 'POST', mode, headers, body: '{"input":{"isRecording":false}}' })
          read.push(
            await asking.then(async (answer) => `${answer.type} ${answer.status} ${await answer.text()}`, String),
          )
        }
        // wabac.js permits these to any host.
        const socket = new WebSocket(url.replace(/^http/, 'ws'))
        await new Promise((resolve) => socket.addEventListener('error', resolve))
        navigator.sendBeacon(url, 'x')
        new Image().src = url
        const frame = document.createElement('iframe')
        frame.src = url
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
        document.body.append(frame)
        await loaded
        read.push(frame.contentDocument === null ? 'closed' : frame.contentDocument.title)
      }
      return read
    },
    [urls, token] as const,
  )
}

const callUrl = (origin: string) => `${origin}/api/call/viewer.record`
const token = () => new URLSearchParams(new URL(loupe.serving.url).hash.slice(1)).get('token') ?? ''

test('a page reaches neither the interface nor the contract nor the live web, even with the token', async () => {
  const frame = await openedUnchanged('/hostile', 'Hostile')
  const { origin } = new URL(loupe.serving.url)
  const targets = [
    callUrl(origin),
    callUrl(origin.replace('127.0.0.1', 'localhost')),
    `http://${liveWeb.address}/fetched`,
  ]
  for (const answer of await callsFrom(frame, targets, token())) expect(answer).toMatch(/Failed to fetch|^closed$/)
  expect((await services().viewer.current({}))?.isRecording).toBe(true)
  expect(reachedLiveWeb).toEqual([])
})

test('a page sees neither the window around it nor cookies of other origins', async () => {
  const frame = await openedUnchanged('/hostile', 'Hostile')
  await page.evaluate(() => void (document.cookie = 'of=loupe'))
  const seen = await frame.evaluate(() => {
    const look = (read: () => unknown) => {
      try {
        return String(read())
      } catch (error) {
        return (error as DOMException).name
      }
    }
    return [look(() => window.top?.document.title), look(() => window.top?.localStorage.length), document.cookie]
  })
  expect(seen).toEqual(['SecurityError', 'SecurityError', ''])
})

test('the same calls from elsewhere arrive: the test would notice', async () => {
  const ordinary = await (await browser.newContext()).newPage()
  await ordinary.goto(loupe.serving.url)
  const [answer] = await callsFrom(ordinary, [callUrl(new URL(loupe.serving.url).origin)], token())
  expect(answer).toMatch(/^basic 200 \{"value":\{/)
  await services().viewer.record({ isRecording: true })
  await ordinary.goto(`http://${liveWeb.address}/`)
  await callsFrom(ordinary, [`http://${liveWeb.address}/control`], '')
  expect(reachedLiveWeb.filter((path) => path === '/control').length).toBeGreaterThan(2)
  reachedLiveWeb.length = 0
  await ordinary.context().close()
})

test('a page that names the live web asks the archive instead', async () => {
  await opened('/leaving', 'Leaving')
  const list = async () => (await services().missing.list({})).map(({ url }) => url)
  const named = ['css', 'img'].map((name) => `http://${liveWeb.address}/${name}`)
  await expect.poll(list).toEqual(expect.arrayContaining(named))
  expect(reachedLiveWeb).toEqual([])
})

/** How a page leads its frame, its window or a new window to a URL. */
const ways: [string, (where: Page | Frame, url: string) => Promise<unknown>][] = [
  ['its own frame', (where, url) => where.evaluate((to) => void location.assign(to), url)],
  // The browser may refuse by an error in the page.
  ['the window', (where, url) => where.evaluate((to) => window.top?.location.assign(to), url).catch(() => undefined)],
  ['a new window', (where, url) => where.evaluate((to) => void window.open(to), url)],
  ['a form', (where, url) => where.evaluate(submitted, url)],
]
for (const [way, lead] of ways)
  test(`a page leads nothing to the live web: ${way}; an ordinary page does`, async () => {
    const isLed = () => reachedLiveWeb.includes('/led')
    const led = `http://${liveWeb.address}/led`
    await lead(await openedUnchanged('/hostile', 'Hostile'), led)
    const other = await (await browser.newContext()).newPage()
    // A later request arrives.
    await other.goto(`http://${liveWeb.address}/after`)
    expect([reachedLiveWeb.includes('/after'), isLed()]).toEqual([true, false])
    await lead(other, led)
    await expect.poll(isLed).toBe(true)
    await other.context().close()
    reachedLiveWeb.length = 0
  })

function submitted(to: string): void {
  const form = document.createElement('form')
  Object.assign(form, { action: to, target: '_top', method: 'post' })
  document.body.append(form)
  form.submit()
}

test('a page commands neither the service worker nor the origin of the archived pages', async () => {
  const frame = await openedUnchanged('/hostile', 'Hostile')
  const tried = await frame.evaluate(async () => {
    const ask = (path: string) =>
      fetch(path).then(
        ({ status }) => status,
        () => 'refused',
      )
    const register = (path: string) =>
      navigator.serviceWorker.register(path).then(
        () => 'registered',
        () => 'refused',
      )
    const file = { sourceUrl: 'proxy:/capture/' }
    navigator.serviceWorker.controller?.postMessage({
      msg_type: 'addColl',
      name: 'own',
      type: 'live',
      file,
      extraConfig: {},
    })
    return {
      collections: await ask('/w/api/coll-index'),
      capture: await ask('/capture/http://tides.test/'),
      ofOwnCollection: await ask('/w/own/mp_/http://tides.test/'),
      command: await ask('/w/archive/mp_/http://loupe.viewer.invalid/getStatus'),
      archived: await ask('/w/archive/mp_/http://tides.test/'),
      worker: await register('/capture/http://tides.test/worker.js'),
      rewrittenWorker: await register('/w/archive/id_/http://tides.test/worker.js'),
    }
  })
  expect(tried).toEqual({
    ...{ collections: 'refused', capture: 'refused', ofOwnCollection: 'refused', command: 404, archived: 200 },
    ...{ worker: 'refused', rewrittenWorker: 'refused' },
  })
  expect(await frame.evaluate(collectionsKept)).toEqual(['archive'])
})

/** Names of the collections that wabac.js has. */
async function collectionsKept(): Promise<IDBValidKey[]> {
  const answered = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
  const database = await answered(indexedDB.open('collDB'))
  return answered(database.transaction('colls').objectStore('colls').getAllKeys())
}

test('without the service worker, captures of this origin are no pages', async () => {
  const direct = await (await browser.newContext({ serviceWorkers: 'block' })).newPage()
  const answer = await direct.goto(`${pagesOrigin()}/capture/${site}/hostile`)
  expect(answer?.status()).toBe(403)
  await direct.goto(`${loupe.serving.rewritten}#/${site}/`)
  await expect(direct.frameLocator('iframe').getByRole('status')).toContainText('service worker')
  await direct.context().close()
})

test('a harvested site of two hosts, over HTTP and HTTPS, with content that servers compressed', async () => {
  const museum = await startTwoHosts()
  try {
    const { code, stderr } = await commandLine('--archive', loupe.archive, ...harvestOf(museum), '--name', 'museum')
    expect(code, stderr).toBe(0)
  } finally {
    await museum.close()
  }
  const job = Math.max(...(await services().jobs.list({})).map((each) => each.job))
  await services().viewer.open({ jobs: [job], untilWhole: true })
  await page.goto('about:blank')
  await page.goto(`${loupe.serving.rewritten}#/${museum.origin}/`)
  const shown = page.frameLocator('iframe')
  await expect(shown.locator('h1')).toHaveText('Welcome')
  // A script of the other host, over HTTPS, has run.
  await expect(shown.locator('html')).toHaveClass(/ready/)
  const frame = page.frame({ name: '___wb_replay_top_frame' })
  if (!frame) throw new Error('the frame shows a page')
  expect(await pictureIn(frame, 'The house')).toEqual({ width: 320, height: 200 })
  await page.getByRole('textbox', { name: 'Page URL' }).fill(`${museum.origin}/collection/`)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(shown.locator('li')).toHaveCount(4)
  await shown.getByRole('link', { name: 'The Harbour in Winter' }).click()
  await expect(shown.locator('h1')).toHaveText('The Harbour in Winter')
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
