/** A picture of an archived page by a Chromium of its own: without a window, with a new profile, inside the viewer proxy, and spoken to
 *  over a pipe. The window that a person looks at is not asked: a frame in it cannot be taken whole, and whoever may ask it may do
 *  everything that the person may. So the page is loaded anew, as a first party; what somebody did in it is not in the picture. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { DrawnPage, PageToDraw } from '../../app/drawnPage.ts'
import { archivedAddress } from '../../contract/fileAddresses.ts'
import { Fault } from '../../contract/faults.ts'
import { withText } from '../picture/pngText.ts'
import { imageTexts, printOptions } from '../picture/provenance.ts'
import { imageOf, pageSize, pictureSidePxMax } from '../picture/wholePage.ts'
import { drawingArguments } from './chromiumArguments.ts'
import { openPage, type DevToolsPage } from './devToolsPipe.ts'
import { pageLoading, type PageLoading } from './pageLoading.ts'

/** A start of Chromium, a slow page and a long image; who waits longer than this has given up. */
const drawMsMax = 120_000
/** Chromium closes its profile within this time when its pipe ends. */
const endMsMax = 5_000
/** As high as a window would be: the page is laid out for it. */
const heightPx = 900

/** Rejects with `Fault` unreachable. */
export async function drawPage(path: string, wanted: PageToDraw): Promise<DrawnPage> {
  const profileFolder = await mkdtemp(`${tmpdir()}/loupe-picture-`)
  const asRoot = process.getuid?.() === 0
  const chromium = spawn(path, drawingArguments({ ...wanted, profileFolder, asRoot }), {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<string>((resolve) => {
    chromium.on('error', (error) => resolve(`${path} cannot be started: ${error.message}.`))
    chromium.on('exit', () => resolve('Chromium ended while it drew the page; try again.'))
  })
  const [toBrowser, fromBrowser] = chromium.stdio.slice(3) as [Writable, Readable]
  const patience = overdue()
  try {
    const drawing = openPage({ toBrowser, fromBrowser }).then((page) => drawn(page, wanted))
    const failing = Promise.race([ended, patience.promise]).then((why) => Promise.reject(new Fault('unreachable', why)))
    return await Promise.race([drawing, failing])
  } finally {
    patience.end()
    toBrowser.end()
    await gone(chromium, ended)
    await rm(profileFolder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function overdue() {
  const { promise, resolve } = Promise.withResolvers<string>()
  const sentence = `Chromium has not drawn the page within ${drawMsMax / 1000} seconds; try again.`
  const timer = setTimeout(() => resolve(sentence), drawMsMax)
  return { promise, end: () => clearTimeout(timer) }
}

async function gone(chromium: ChildProcess, ended: Promise<string>): Promise<void> {
  const timer = setTimeout(() => chromium.kill('SIGKILL'), endMsMax)
  await ended
  clearTimeout(timer)
}

async function drawn(page: DevToolsPage, wanted: PageToDraw): Promise<DrawnPage> {
  const { widthPx, enter, form, made, software } = wanted
  await page.send('Page.enable')
  await page.send('Network.enable')
  await layOut(page, { width: widthPx, height: heightPx })
  await identify(page, wanted)
  const loading = pageLoading(page)
  const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', { url: enter })
  if (errorText !== undefined)
    throw new Fault('unreachable', `Chromium could not load the page (${errorText}); try again.`)
  const isLoaded = await settled(page, loading, widthPx)
  const { url, captured } = loading.document()
  if (captured === null) return { bytes: new Uint8Array(0), url, captured, isCut: false, isLoaded }
  const provenance = { url: archivedAddress(url), captured, made, software }
  const facts = { url: provenance.url, captured, isLoaded }
  if (form === 'pdf') {
    const { data } = await page.send<{ data: string }>('Page.printToPDF', printOptions(provenance))
    return { ...facts, bytes: Buffer.from(data, 'base64'), isCut: false }
  }
  const { bytes, isCut } = await imageOf(page)
  return { ...facts, bytes: withText(bytes, imageTexts(provenance)), isCut }
}

/** Images far below load only when they come into sight: for a moment the window is as high as the page. */
async function settled(page: DevToolsPage, loading: PageLoading, width: number): Promise<boolean> {
  const isLoaded = await loading.done()
  const { height } = await pageSize(page)
  await layOut(page, { width, height: Math.min(Math.max(height, heightPx), pictureSidePxMax) })
  const isQuiet = await loading.quiet()
  await layOut(page, { width, height: heightPx })
  return isLoaded && isQuiet
}

async function layOut(page: DevToolsPage, { width, height }: { width: number; height: number }): Promise<void> {
  await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
}

/** Where the proxy asks who it is, the browser says so, and from then on by itself. No site of the past hears anything. */
async function identify(page: DevToolsPage, { enter, user, password }: PageToDraw): Promise<void> {
  page.on<{ requestId: string }>('Fetch.requestPaused', ({ requestId }) => say('Fetch.continueRequest', { requestId }))
  page.on<{ requestId: string; authChallenge: { source?: string } }>(
    'Fetch.authRequired',
    ({ requestId, authChallenge }) => {
      const known = { response: 'ProvideCredentials', username: user, password }
      const authChallengeResponse = authChallenge.source === 'Proxy' ? known : { response: 'CancelAuth' }
      say('Fetch.continueWithAuth', { requestId, authChallengeResponse })
    },
  )
  await page.send('Fetch.enable', {
    handleAuthRequests: true,
    patterns: [{ urlPattern: `${new URL(enter).origin}/*` }],
  })
  function say(method: string, parameters: object): void {
    // A request that the page gave up meanwhile has nobody to go on for; a browser that ended is heard of elsewhere.
    page.send(method, parameters).catch(() => undefined)
  }
}
