/** While an archived page is viewed, in the frame of the interface or in a separate window, none of its requests reaches the live
 *  Web. The page uses every way to send a request, to a server on this machine that the browser could reach under every name used,
 *  with and without TLS; that server must receive nothing. The same page in the same browser without its switches proves that each of
 *  the ways would reach the server. */
import { createSocket, type Socket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test, type Frame, type Page } from '@playwright/test'
import { openWindow } from '../../src-main/shells/server/chromium.ts'
import type { Serving } from '../../src-main/shells/server/serve.ts'
import { openAppWindow, type AppWindow } from '../appWindow.ts'
import { fileOf } from '../sites/archiveFiles.ts'
import { selfSigned } from '../sites/twoHosts.ts'
import { goToArchived, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

/** Everything that the live servers received, including those of WebRTC and WebTransport. */
const heard: string[] = []
const hearing = new EventEmitter()
function hear(what: string): void {
  heard.push(what)
  hearing.emit('heard')
}
const schemes = ['http', 'https'] as const
type Scheme = (typeof schemes)[number]
let live: Record<Scheme, Server>
let stun: Socket
let turn: TcpServer
let transport: Socket
let loupe: OpenedLoupe

/** Every way of sending a request in markup. `server`: a name of the live server, with a folder. */
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
<form action="${server}/form" method="post" target="${server}"></form><iframe name="${server}"></iframe>
<a ping="${server}/ping" href="#pinged">link</a>
<iframe srcdoc='<meta http-equiv="refresh" content="0; url=${server}/refresh">'></iframe>`

/** Every way of sending a request from a script. Resolves when all have ended, with those that reached a server. */
async function tryAll(servers: string[]): Promise<string[]> {
  const reached: string[] = []
  const settled = async (name: string, trial: () => unknown) => {
    try {
      const answer = await trial()
      // A response of the proxy itself is not a leak: it is not `ok`, or it is opaque.
      if (answer instanceof Response && answer.type !== 'opaque' && answer.ok) reached.push(name)
    } catch {
      // Refused, as it should be.
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
      // In a page over https the browser itself refuses this.
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
  for (const link of document.querySelectorAll<HTMLElement>('a[ping]')) link.click()
  // Service workers exist only in secure contexts.
  await settled('service worker', () => navigator.serviceWorker.register('/worker.js'))
  return reached
}

/** Contacts servers that never answer: STUN by UDP, TURN by TCP and, in a secure context, WebTransport by QUIC. */
async function reachOut(ports: Record<'stun' | 'turn' | 'transport', number>): Promise<void> {
  if (isSecureContext) {
    const connecting = new WebTransport(`https://127.0.0.1:${ports.transport}/`)
    for (const end of [connecting.ready, connecting.closed]) end.catch(() => undefined)
  }
  const relay = { urls: `turn:127.0.0.1:${ports.turn}?transport=tcp`, username: 'a', credential: 'b' }
  const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${ports.stun}` }, relay] })
  peer.createDataChannel('leak')
  await peer.setLocalDescription(await peer.createOffer())
  while (peer.iceGatheringState !== 'complete')
    await new Promise((resolve) => peer.addEventListener('icegatheringstatechange', resolve, { once: true }))
}

const portOf = (server: Socket | TcpServer) => (server.address() as AddressInfo).port
const ports = () => ({ stun: portOf(stun), turn: portOf(turn), transport: portOf(transport) })

function answering(scheme: Scheme) {
  return ({ headers, url = '' }: IncomingMessage, response: ServerResponse) => {
    hear(`${scheme}://${headers.host}${url}`)
    const [content, fields] = pages()[url] ?? ['live']
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html', ...fields }).end(content)
  }
}

async function listening(server: TcpServer, what: string, host?: string): Promise<void> {
  server.on('connection', () => {
    hear(what)
  })
  await new Promise<void>((done) => server.listen(0, host, done))
}

async function hearingUdp(what: string): Promise<Socket> {
  const socket = createSocket('udp4', () => {
    hear(what)
  })
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
  return socket
}

test.beforeAll(async () => {
  live = {
    http: createServer(answering('http')),
    https: createTlsServer(await selfSigned('live.example'), answering('https')),
  }
  for (const scheme of schemes) await listening(live[scheme], 'a connection')
  turn = createTcpServer((socket) => socket.on('error', () => undefined).destroy())
  await listening(turn, 'TURN', '127.0.0.1')
  stun = await hearingUdp('STUN')
  transport = await hearingUdp('WebTransport')

  loupe = await openLoupe('leaks', undefined, (serving) => windowOf(serving, serving.url))
  const at = '2024-01-01T00:00:00Z'
  const archived = schemes.flatMap((scheme) => {
    const head = Object.entries(reporting(`${strange('https')}/${scheme}`)).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    const page = { at, mediaType: 'text/html' }
    return [
      { ...page, url: `${scheme}://site.example/`, content: pageIn(`/${scheme}`) },
      { ...page, url: `${scheme}://site.example/reporting`, content: violating, head: head.join('') },
    ]
  })
  const content = `fetch('${servers()[0]}/from-service-worker')`
  const worker = { url: 'https://site.example/worker.js', at, mediaType: 'text/javascript', content }
  await importFile(loupe, 'site.warc.gz', fileOf([...archived, worker]))
  await loupe.serving.engine.services.viewer.open({ jobs: [1], untilWhole: true })
  await loupe.page.reload()
  await loupe.page.getByRole('link', { name: 'Viewer', exact: true }).click()
})

test.afterAll(async () => {
  await loupe.close()
  for (const server of [live.http, live.https, turn, stun, transport]) server.close()
})

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

/** The origins of the live server; one of them uses a host name that does not belong to this machine. */
function servers(): string[] {
  const names = { http: ['127.0.0.1', 'localhost', ...(hasIpv6 ? ['[::1]'] : [])], https: ['127.0.0.1'] }
  return schemes.flatMap((scheme) => [
    ...names[scheme].map((name) => `${scheme}://${name}:${portOf(live[scheme])}`),
    strange(scheme),
  ])
}
const strange = (scheme: Scheme) => `${scheme}://live.example:${portOf(live[scheme])}`

const foldersOf = (folder: string) => servers().map((server) => `${server}${folder}`)
const pageIn = (folder: string) =>
  `<!doctype html><title>Shown</title>${foldersOf(folder).map(tried).join('')}<iframe src="/reporting"></iframe>`
/** A page that violates its own policy. */
const violating = '<!doctype html><img src="/forbidden">'
/** Fields that make a browser report the violation of the page above. The viewer passes none of them on, so the proxy receives no
 *  reports either (`archivedFields.ts`). With `Reporting-Endpoints` a browser reports only over TLS, and only from pages that came
 *  over TLS. */
const reporting = (server: string) => ({
  'content-security-policy': `img-src 'none'; report-uri ${server}/report-uri`,
  'content-security-policy-report-only': `img-src 'none'; report-to live`,
  'reporting-endpoints': `live="${server}/reported"`,
})
/** The pages of the live server itself, also in a frame with the sandbox of the interface. */
const pages = (): Record<string, [content: string, fields?: Record<string, string>]> => ({
  '/control': [pageIn('/control')],
  '/framed': [`<iframe src="/in-frame" sandbox="allow-scripts allow-same-origin allow-forms"></iframe>`],
  '/in-frame': [pageIn('/in-frame')],
  '/reporting': [violating, reporting(`${strange('https')}/control`)],
})

function windowOf({ engine, url }: Serving, appUrl: string, further: readonly string[] = []): Promise<AppWindow> {
  const { viewer, spkiSha256 } = engine
  const about = { appUrl, appPort: Number(new URL(url).port), proxyPort: viewer.port, spkiSha256 }
  // Without this rule the name cannot be reached, with or without the proxy.
  const reachable = '--host-resolver-rules=MAP live.example 127.0.0.1'
  return openAppWindow((chromium, { headless }) =>
    openWindow(chromium, { ...about, headless }, [reachable, '--short-reporting-delay', ...further]),
  )
}

async function withWindow(url: string, further: readonly string[], look: (page: Page) => Promise<void>) {
  const window = await windowOf(loupe.serving, url, further)
  // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for it
  await look(window.page).finally(window.close)
}

async function frameOf(page: Page, url: string): Promise<Frame> {
  await expect.poll(() => page.frame({ url })?.title()).toBe('Shown')
  return page.frame({ url })!
}

/** Requests that Chromium sends to each of the servers. */
const askedOfEach = [
  ...['style', 'import', 'font', 'script', 'module', 'preload', 'prefetch'],
  ...['img', 'srcset', 'source', 'svg', 'background'],
  ...['video', 'audio', 'poster', 'object', 'embed', 'frame', 'form', 'worker'],
  ...['fetch', 'no-cors', 'keepalive', 'beacon', 'socket', 'events', 'xhr'],
  ...['ping', 'refresh'],
]
/** A request that only a window sends, since pages in the frame of the interface cannot open windows. */
const opened = (folder: string) => foldersOf(folder).map((server) => `${server}/opened`)
/** Requests that Chromium sends only to the first server that the page names, and only from a page that fills a window. */
const askedOfOne = ['manifest', 'icon']
/** Requests that are sent only without a proxy. Chromium never sends one for `prerender` in a link; to preconnect it would only
 *  contact the proxy. */
const notThroughProxy = ['speculated', 'prerendered']

function expectedOf(folder: string, ...ofOne: string[]): string[] {
  const [first] = foldersOf(folder)
  return [
    ...foldersOf(folder).flatMap((server) => askedOfEach.map((way) => `${server}/${way}`)),
    ...ofOne.map((way) => `${first}/${way}`),
  ]
}

/** What the page under test requested of the proxy: addresses without a capture, and addresses that the viewer refuses on principle. */
async function askedOfProxy(): Promise<string[]> {
  const { missing, viewer } = loupe.serving.engine.services
  const refused = (await viewer.answers({})).filter(({ by }) => by === 'refusals')
  return [...(await missing.list({})), ...refused].map(({ url }) => url)
}

const lackingOf = (expected: readonly string[], all: readonly string[]) => {
  const known = new Set(all)
  return expected.filter((each) => !known.has(each))
}

/** Waits until the proxy received all of the requests. How long that takes depends on the load of the machine, so only the time limit
 *  of the test applies. */
async function expectAsked(expected: readonly string[]): Promise<void> {
  await expect.poll(async () => lackingOf(expected, await askedOfProxy()), { timeout: 0 }).toEqual([])
}

/** The requests for which a test is waiting, printed when it runs out of time. */
let awaited: readonly string[] = []

async function untilHeard(expected: readonly string[]): Promise<void> {
  awaited = expected
  while (lackingOf(expected, heard).length > 0) await once(hearing, 'heard')
  awaited = []
}

test.afterEach(() => {
  const lacking = lackingOf(awaited, heard)
  if (lacking.length > 0) console.log('Never heard:', lacking.join(', '))
})

/** Opens windows one at a time, since each user action allows a page to open one. */
async function openAll(page: Page, folder: string): Promise<string[]> {
  for (const url of opened(folder)) await page.evaluate((address) => void open(address), url)
  return opened(folder)
}

/** Uses every way; each request must reach the proxy and none the live server. */
async function expectNoLeak(shown: Page | Frame, scheme: string, ...ofOne: string[]): Promise<void> {
  expect(await shown.evaluate(tryAll, foldersOf(`/${scheme}`))).toEqual([])
  await shown.evaluate(reachOut, ports())
  const worker = scheme === 'https' ? ['https://site.example/worker.js'] : []
  await expectAsked([...expectedOf(`/${scheme}`, ...ofOne), ...worker])
  expect(heard).toEqual([])
}

test.beforeEach(() => loupe.serving.engine.services.missing.clear({}))

for (const scheme of schemes) {
  const url = `${scheme}://site.example/`

  test(`over ${scheme} a page in a separate window requests everything, and the live server receives nothing`, () =>
    withWindow(url, [], async (page) => {
      await expect(page).toHaveTitle('Shown')
      const windows = await openAll(page, `/${scheme}`)
      await expectNoLeak(page, scheme, ...askedOfOne)
      await expectAsked(windows)
      expect(heard).toEqual([])
    }))

  test(`over ${scheme} a page in the frame of the interface requests everything, and the live server receives nothing`, async () => {
    await goToArchived(loupe.page, url)
    await expectNoLeak(await frameOf(loupe.page, url), scheme)
  })
}

const policy = 'webrtc-ip-handling-policy=default'
const withoutProxy = ['--no-proxy-server', '--ignore-certificate-errors', `--${policy}`, `--force-${policy}`]

async function expectHeard(shown: Page | Frame, folder: string, ...ofOne: string[]): Promise<void> {
  const reached = await shown.evaluate(tryAll, foldersOf(folder))
  expect(reached).toContain('fetch')
  await untilHeard(expectedOf(folder, ...ofOne))
  const byOtherWays = ['STUN', 'TURN', ...(shown.url().startsWith('https:') ? ['WebTransport'] : [])]
  // These servers never answer, so the browser gives up after some seconds; on a busy machine possibly before it has sent anything.
  // Then the attempt is repeated.
  const all = untilHeard(byOtherWays)
  while (lackingOf(byOtherWays, heard).length > 0) await Promise.race([all, shown.evaluate(reachOut, ports())])
}

for (const scheme of schemes) {
  test(`over ${scheme} without the proxy the live server receives every one of these requests, and WebRTC and WebTransport traffic too`, () => {
    heard.length = 0
    return withWindow(`${strange(scheme)}/control`, withoutProxy, async (page) => {
      await expect(page).toHaveTitle('Shown')
      const windows = await openAll(page, '/control')
      await expectHeard(page, '/control', ...askedOfOne, ...notThroughProxy)
      const reports = [
        `${strange('https')}/control/report-uri`,
        ...(scheme === 'https' ? [`${strange('https')}/control/reported`] : []),
      ]
      await untilHeard([...windows, ...reports])
    })
  })

  test(`over ${scheme} without the proxy it receives them from a frame such as that of the interface`, () => {
    heard.length = 0
    return withWindow(`${strange(scheme)}/framed`, withoutProxy, async (page) => {
      await expectHeard(await frameOf(page, `${strange(scheme)}/in-frame`), '/in-frame')
    })
  })
}
