/** While an archived page is viewed, in the frame of the interface or in a window of its own, nothing that it tries reaches the live Web:
 *  with every way that a page has to ask for something it asks a server that stands right beside the archive, which the browser could
 *  reach under every name that is asked, and that server hears nothing. The same page in the same browser without its switches shows
 *  that the server would have heard each of the ways. */
import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test, type Frame, type Page } from '@playwright/test'
import { openWindow } from '../../src-main/shells/server/chromium.ts'
import type { Serving } from '../../src-main/shells/server/serve.ts'
import { openAppWindow, type AppWindow } from '../appWindow.ts'
import { fileOf } from '../sites/archiveFiles.ts'
import { goToArchived, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

/** What the live server and the one for WebRTC heard. */
const heard: string[] = []
let live: Server
let stun: Socket
let loupe: OpenedLoupe

const schemes = ['http', 'https']

/** Every way that stands in the page itself. `server`: the live one under one of its names, and a folder in it. */
const tried = (server: string) => `
<link rel="preconnect" href="${server}"><link rel="dns-prefetch" href="${server}">
<link rel="prefetch" href="${server}/prefetch"><link rel="preload" as="script" href="${server}/preload">
<link rel="modulepreload" href="${server}/module"><link rel="prerender" href="${server}/prerender">
<link rel="icon" href="${server}/icon"><link rel="manifest" href="${server}/manifest">
<link rel="stylesheet" href="${server}/style">
<style>@import "${server}/import"; @font-face { font-family: "${server}"; src: url(${server}/font) }</style>
<p style='font-family: "${server}"; background: url(${server}/background)'>text in the font</p>
<img src="${server}/img"><img srcset="${server}/srcset 1x"><picture><source srcset="${server}/source"><img></picture>
<video src="${server}/video" poster="${server}/poster" autoplay muted></video><audio src="${server}/audio"></audio>
<object data="${server}/object"></object><embed src="${server}/embed"><iframe src="${server}/frame"></iframe>
<svg><image href="${server}/svg"/></svg><script src="${server}/script"></script>
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${server}/speculated"]}],
 "prerender":[{"source":"list","urls":["${server}/prerendered"]}]}</script>
<form action="${server}/form" method="post" target="${server}"></form><iframe name="${server}"></iframe>`

/** And every way of a script. Resolves when each has come to its end. */
async function tryAll(servers: string[]): Promise<string[]> {
  const reached: string[] = []
  const settled = async (name: string, trial: () => unknown) => {
    try {
      const answer = await trial()
      // What the proxy itself says is no leak: it says so in a field of its own, or the answer is opaque.
      if (answer instanceof Response && answer.type !== 'opaque' && answer.ok) reached.push(name)
    } catch {
      // Refused, which is as good.
    }
  }
  const opened = (target: EventTarget, ...names: string[]) =>
    new Promise<string>((resolve) => {
      for (const name of names) target.addEventListener(name, () => resolve(name))
    })
  for (const server of servers) {
    const socket = server.replace('http', 'ws')
    await settled('fetch', () => fetch(`${server}/fetch`))
    await settled('no-cors', () => fetch(`${server}/no-cors`, { mode: 'no-cors' }))
    await settled('keepalive', () => fetch(`${server}/keepalive`, { method: 'POST', keepalive: true, mode: 'no-cors' }))
    await settled('beacon', () => navigator.sendBeacon(`${server}/beacon`, 'x'))
    await settled('worker', () => new Worker(URL.createObjectURL(new Blob([`fetch('${server}/worker')`]))))
    await settled('WebSocket', async () => {
      // From https a browser refuses it by itself.
      const web = new WebSocket(`${socket}/socket`)
      if ((await opened(web, 'open', 'error')) === 'open') reached.push('WebSocket')
    })
    const events = new EventSource(`${server}/events`)
    if ((await opened(events, 'open', 'error')) === 'open') reached.push('EventSource')
    events.close()
    const request = new XMLHttpRequest()
    request.open('GET', `${server}/xhr`)
    request.send()
    await opened(request, 'loadend')
  }
  for (const form of document.forms) form.submit()
  // There are none where the page is not secure.
  await settled('service worker', () => navigator.serviceWorker.register('/worker.js'))
  return reached
}

/** Asks by UDP who it is, of a server that never answers. */
async function gather(stunPort: number): Promise<void> {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${stunPort}` }] })
  peer.createDataChannel('leak')
  await peer.setLocalDescription(await peer.createOffer())
  while (peer.iceGatheringState !== 'complete')
    await new Promise((resolve) => peer.addEventListener('icegatheringstatechange', resolve, { once: true }))
}

test.beforeAll(async () => {
  live = createServer((request, response) => {
    heard.push(`http://${request.headers.host}${request.url}`)
    const fields = { 'access-control-allow-origin': '*', 'content-type': 'text/html' }
    response.writeHead(200, fields).end(pages()[request.url ?? ''] ?? 'live')
  })
  live.on('connection', () => heard.push('a connection'))
  await new Promise<void>((listening) => live.listen(0, listening))
  stun = createSocket('udp4', () => heard.push('a datagram'))
  await new Promise<void>((bound) => stun.bind(0, '127.0.0.1', bound))

  loupe = await openLoupe('leaks', undefined, (serving) => windowOf(serving, serving.url))
  const at = '2024-01-01T00:00:00Z'
  const archived = schemes.map((scheme) => ({
    ...{ url: `${scheme}://site.example/`, at, mediaType: 'text/html', content: pageIn(`/${scheme}`) },
  }))
  const content = `fetch('${servers()[0]}/from-service-worker')`
  const worker = { url: 'https://site.example/worker.js', at, mediaType: 'text/javascript', content }
  await importFile(loupe, 'site.warc.gz', fileOf([...archived, worker]))
  await loupe.serving.engine.services.viewer.open({ jobs: [1], untilWhole: true })
  await loupe.page.reload()
  await loupe.page.getByRole('link', { name: 'Viewer', exact: true }).click()
})

test.afterAll(async () => {
  await loupe.close()
  live.close()
  stun.close()
})

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

/** The live server's names, of which one is none of this machine's own. */
function servers(): string[] {
  const { port } = live.address() as AddressInfo
  return ['127.0.0.1', 'localhost', ...(hasIpv6 ? ['[::1]'] : []), 'live.example'].map(
    (host) => `http://${host}:${port}`,
  )
}

const foldersOf = (folder: string) => servers().map((server) => `${server}${folder}`)
const pageIn = (folder: string) => `<!doctype html><title>Shown</title>${foldersOf(folder).map(tried).join('')}`
/** Of the live server itself. In a frame as the interface has it, too. */
const pages = (): Record<string, string> => ({
  '/control': pageIn('/control'),
  '/framed': `<iframe src="/in-frame" sandbox="allow-scripts allow-same-origin allow-forms"></iframe>`,
  '/in-frame': pageIn('/in-frame'),
})

function windowOf({ engine, url }: Serving, appUrl: string, further: readonly string[] = []): Promise<AppWindow> {
  const { viewer, spkiSha256 } = engine
  const about = { appUrl, appPort: Number(new URL(url).port), proxyPort: viewer.port, spkiSha256 }
  // Without it nobody could reach this name, with or without the proxy.
  const reachable = '--host-resolver-rules=MAP live.example 127.0.0.1'
  return openAppWindow((chromium, { headless }) =>
    openWindow(chromium, { ...about, headless }, [reachable, ...further]),
  )
}

async function withWindow(url: string, further: readonly string[], look: (page: Page) => Promise<void>) {
  const window = await windowOf(loupe.serving, url, further)
  await look(window.page).finally(window.close)
}

async function frameOf(page: Page, url: string): Promise<Frame> {
  await expect.poll(() => page.frame({ url })?.title()).toBe('Shown')
  return page.frame({ url })!
}

/** Chromium asks each server for these. */
const askedOfEach = [
  ...['style', 'import', 'font', 'script', 'module', 'preload', 'prefetch'],
  ...['img', 'srcset', 'source', 'svg', 'background'],
  ...['video', 'audio', 'poster', 'object', 'embed', 'frame', 'form', 'worker'],
  ...['fetch', 'no-cors', 'keepalive', 'beacon', 'socket', 'events', 'xhr'],
]
/** And one server for these, the first that the page names, and only for what fills a window. */
const askedOfOne = ['manifest', 'icon']
/** For these only where there is no proxy, and never for `prerender` in a link. To preconnect it would speak with the proxy. */
const notThroughProxy = ['speculated', 'prerendered']

function expectedOf(folder: string, ...ofOne: string[]): string[] {
  const [first] = foldersOf(folder)
  return [
    ...foldersOf(folder).flatMap((server) => askedOfEach.map((way) => `${server}/${way}`)),
    ...ofOne.map((way) => `${first}/${way}`),
  ]
}

/** What the proxy was asked for by the page that is tried: it has no answer, or gives none on principle. */
async function askedOfProxy(): Promise<string[]> {
  const { missing, viewer } = loupe.serving.engine.services
  const refused = (await viewer.answers({})).filter(({ by }) => by === 'refusals')
  return [...(await missing.list({})), ...refused].map(({ url }) => url)
}

/** In all the ways; each comes to the proxy, and none to the live server. */
async function expectNoLeak(shown: Page | Frame, scheme: string, ...ofOne: string[]): Promise<void> {
  expect(await shown.evaluate(tryAll, foldersOf(`/${scheme}`))).toEqual([])
  await shown.evaluate(gather, stun.address().port)
  const worker = scheme === 'https' ? ['https://site.example/worker.js'] : []
  await expect.poll(askedOfProxy).toEqual(expect.arrayContaining([...expectedOf(`/${scheme}`, ...ofOne), ...worker]))
  expect(heard).toEqual([])
}

test.beforeEach(() => loupe.serving.engine.services.missing.clear({}))

for (const scheme of schemes) {
  const url = `${scheme}://site.example/`

  test(`over ${scheme} a page in a window of its own asks for everything, and the live server hears nothing`, () =>
    withWindow(url, [], async (page) => {
      await expect(page).toHaveTitle('Shown')
      await expectNoLeak(page, scheme, ...askedOfOne)
    }))

  test(`over ${scheme} a page in the frame of the interface asks for everything, and the live server hears nothing`, async () => {
    await goToArchived(loupe.page, url)
    await expectNoLeak(await frameOf(loupe.page, url), scheme)
  })
}

const policy = 'webrtc-ip-handling-policy=default'
const withoutProxy = ['--no-proxy-server', `--${policy}`, `--force-${policy}`]

async function expectHeard(shown: Page | Frame, folder: string, ...ofOne: string[]): Promise<void> {
  const reached = await shown.evaluate(tryAll, foldersOf(folder))
  expect(reached).toContain('fetch')
  await expect.poll(() => heard).toEqual(expect.arrayContaining(expectedOf(folder, ...ofOne)))
  // Nobody answers there, so it does not come to its end soon; where it cannot even begin, it says why.
  const gathering = shown.evaluate(gather, stun.address().port)
  await Promise.race([expect.poll(() => heard).toContain('a datagram'), gathering])
  expect(heard).toContain('a datagram')
}

test('without the proxy the live server hears every one of these ways, and the one for WebRTC hears a datagram', () =>
  withWindow(`${servers().at(-1)}/control`, withoutProxy, async (page) => {
    await expect(page).toHaveTitle('Shown')
    await expectHeard(page, '/control', ...askedOfOne, ...notThroughProxy)
  }))

test('so it does out of a frame such as that of the interface', () => {
  heard.length = 0
  return withWindow(`${servers().at(-1)}/framed`, withoutProxy, async (page) => {
    await expectHeard(await frameOf(page, `${servers().at(-1)}/in-frame`), '/in-frame')
  })
})
