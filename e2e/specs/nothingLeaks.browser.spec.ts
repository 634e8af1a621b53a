/** While an archived page is viewed, nothing that it tries reaches the live Web: with every way that a page has to ask for something it
 *  asks a server that stands right beside the archive, and that server hears nothing. */
import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { madeArchive, type MadeArchive } from '../../src-main/indexes/madeArchive.ts'
import { openWindow } from '../../src-main/shells/server/chromium.ts'
import { viewerOver } from '../../src-main/viewer/madeViewer.ts'
import type { Viewer } from '../../src-main/viewer/viewer.ts'
import { openAppWindow, type AppWindow } from '../appWindow.ts'

/** What the live server and the one for WebRTC heard. */
const heard: string[] = []
let live: Server
let stun: Socket
let made: MadeArchive
let viewer: Viewer
let window: AppWindow

/** Every way that stands in the page itself. `live`: the live server, under one of its names. */
const tried = (server: string) => `
<link rel="preconnect" href="${server}"><link rel="dns-prefetch" href="${server}">
<link rel="prefetch" href="${server}/prefetch"><link rel="preload" as="script" href="${server}/preload">
<link rel="modulepreload" href="${server}/module"><link rel="prerender" href="${server}/prerender">
<link rel="icon" href="${server}/icon"><link rel="manifest" href="${server}/manifest">
<link rel="stylesheet" href="${server}/style">
<style>@import "${server}/import"; @font-face { font-family: leak; src: url(${server}/font) } p { font-family: leak; background: url(${server}/background) }</style>
<p>text in the font</p>
<img src="${server}/img" srcset="${server}/srcset 2x"><picture><source srcset="${server}/source"><img></picture>
<video src="${server}/video" poster="${server}/poster" autoplay muted></video><audio src="${server}/audio"></audio>
<object data="${server}/object"></object><embed src="${server}/embed"><iframe src="${server}/frame"></iframe>
<svg><image href="${server}/svg"/></svg><script src="${server}/script"></script>
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${server}/speculated"]}]}</script>
<form id="form" action="${server}/form" method="post" target="form"></form><iframe name="form"></iframe>`

/** And every way of a script. Resolves when each has come to its end. */
async function tryAll({ servers, stunPort }: { servers: string[]; stunPort: number }): Promise<string[]> {
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
    await settled('service worker', () => navigator.serviceWorker.register('/worker.js'))
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
  document.querySelector<HTMLFormElement>('#form')?.submit()
  const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${stunPort}` }] })
  peer.createDataChannel('leak')
  await peer.setLocalDescription(await peer.createOffer())
  while (peer.iceGatheringState !== 'complete') await opened(peer, 'icegatheringstatechange')
  return reached
}

test.beforeAll(async () => {
  live = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    response.setHeader('access-control-allow-origin', '*').end('live')
  })
  live.on('connection', () => heard.push('a connection'))
  await new Promise<void>((listening) => live.listen(0, listening))
  stun = createSocket('udp4', () => heard.push('a datagram'))
  await new Promise<void>((bound) => stun.bind(0, '127.0.0.1', bound))

  made = await madeArchive()
  const html = [['Content-Type', 'text/html']] as const
  const pages = ['http', 'https'].map((scheme) => ({
    ...{ url: `${scheme}://site.example/`, at: '2024-01-01T00:00:00Z', fields: html },
    body: `<!doctype html><title>Archived</title>${servers().map(tried).join('')}`,
  }))
  const script = {
    ...{ url: 'https://site.example/worker.js', at: '2024-01-01T00:00:00Z' },
    fields: [['Content-Type', 'text/javascript']] as const,
    body: `fetch('${servers()[0]}/from-service-worker')`,
  }
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [...pages, script] })
  viewer = await viewerOver(made)
  await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
  const { port } = viewer.proxy
  const { spkiSha256 } = viewer.certificate
  window = await openAppWindow((chromium, { headless }) =>
    openWindow(chromium, { appUrl: 'http://site.example/', appPort: port, proxyPort: port, spkiSha256, headless }),
  )
})

test.afterAll(async () => {
  await window.close()
  await viewer.close()
  await made[Symbol.asyncDispose]()
  live.close()
  stun.close()
})

function servers(): string[] {
  const { port } = live.address() as AddressInfo
  return [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`, `http://live.example:${port}`]
}

for (const scheme of ['http', 'https'])
  test(`over ${scheme} a page asks for everything in every way, and the live server hears nothing`, async () => {
    const { page } = window
    await page.goto(`${scheme}://site.example/`)
    await expect(page).toHaveTitle('Archived')
    const reached = await page.evaluate(tryAll, { servers: servers(), stunPort: stun.address().port })
    expect(reached).toEqual([])
    expect(heard).toEqual([])
    // What a browser lets a page try at all arrives at the proxy, which has no answer.
    const missed = viewer.misses(viewer.current()?.view ?? 0).map(({ url }) => new URL(url).pathname)
    expect(missed).toEqual(expect.arrayContaining(['/fetch', '/img', '/font', '/frame', '/xhr', '/events', '/beacon']))
  })

test('the live server would have heard', async () => {
  expect(await (await fetch(servers()[0] ?? '')).text()).toBe('live')
  expect(heard).toEqual(['a connection', 'GET /'])
})
