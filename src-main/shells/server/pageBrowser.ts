/**
 * One Chromium for many pages. Each page has a browser context of its own (storage, cache, credentials), and so processes of its own: one that
 * hangs is ended without the others. A browser that crashes, or does not close a page, is replaced, and so is one that has shown many pages.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PageBrowser, PageProxy, PageToVisit, Visit } from '../../app/given/pageBrowser.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { drawingArguments, unthrottledArguments } from './chromiumArguments.ts'
import { findChromium } from './chromium.ts'
import { BrowserEnded, CallRefused, devToolsOver, type DevToolsBrowser, type DevToolsPage } from './devToolsPipe.ts'
import { startPiped, type PipedChromium } from './pipedChromium.ts'
import { NotLoaded, visitTab } from './visitTab.ts'

/** Pages after which a browser is replaced: what scripts leave in it does not add up. */
const pagesPerBrowserMax = 200
/** Time for a start on a slow machine, for an empty tab, and for the end of a tab. */
const openMsMax = 60_000
const closeMsMax = 5_000

/** A running browser. */
interface Running {
  chromium: PipedChromium
  browser: DevToolsBrowser
  pages: number
  open: number
  isRetired: boolean
}

/** Finds a Chromium on this machine. Rejects with `Fault` refused. */
export async function openPageBrowser(proxy: PageProxy): Promise<PageBrowser> {
  const found = findChromium()
  if (found.path === undefined)
    throw new Fault('refused', message('browser.needed', { reason: found.why, command: found.command }))
  return pageBrowserOf(found.path, proxy)
}

function pageBrowserOf(path: string, proxy: PageProxy): PageBrowser {
  let current: Promise<Running> | undefined
  const all = new Set<Running>()

  async function start(): Promise<Running> {
    const chromium = await startPiped(path, {
      profilePrefix: join(tmpdir(), 'loupe-pages-'),
      argumentsFor: (profile) => [...drawingArguments({ ...proxy, ...profile }), ...unthrottledArguments],
    })
    const running = { chromium, browser: devToolsOver(chromium.pipes), pages: 0, open: 0, isRetired: false }
    all.add(running)
    const gone = () => {
      retire(running)
      all.delete(running)
    }
    void chromium.ended.then(gone, gone)
    return running
  }

  function retire(running: Running): void {
    if (!running.isRetired) current = undefined
    running.isRetired = true
    if (running.open === 0) void running.chromium.end()
  }

  async function borrowed(): Promise<Running> {
    const running = await (current ??= start())
    running.open += 1
    running.pages += 1
    if (running.pages >= pagesPerBrowserMax) retire(running)
    return running
  }

  return {
    async visit(page, signal) {
      signal.throwIfAborted()
      const running = await borrowed()
      try {
        const { visit, isClosed } = await visitIn(running.browser, page, signal)
        if (!isClosed) void running.chromium.end()
        return visit
      } finally {
        running.open -= 1
        if (running.isRetired && running.open === 0) void running.chromium.end()
      }
    },
    async close() {
      await current
      await Promise.all([...all].map(({ chromium }) => chromium.end()))
    },
  }
}

/** Visits a page in a new context, and closes it. `isClosed`: false when the browser did not do that in time. */
async function visitIn(
  browser: DevToolsBrowser,
  page: PageToVisit,
  signal: AbortSignal,
): Promise<{ visit: Visit; isClosed: boolean }> {
  let opened: Tab | undefined
  try {
    opened = await inTime(openTab(browser), openMsMax, signal)
    if (opened === undefined) return { visit: { is: 'browserEnded' }, isClosed: false }
    const visited = await inTime(Promise.race([visitTab(browser, opened.tab, page), opened.crash]), page.msMax, signal)
    const isClosed = await closed(browser, opened)
    return { visit: visited ?? { is: 'failed', failure: 'hung' }, isClosed }
  } catch (error) {
    const isClosed = opened === undefined || (await closed(browser, opened))
    signal.throwIfAborted()
    return { visit: failureOf(error), isClosed }
  }
}

/** What an error means for the page. Throws an error that is a bug. */
function failureOf(error: unknown): Visit {
  if (error instanceof BrowserEnded) return { is: 'browserEnded' }
  if (error instanceof NotLoaded) return { is: 'failed', failure: 'notLoaded' }
  // The page has closed itself.
  if (error instanceof CallRefused) return { is: 'failed', failure: 'crashed' }
  throw error
}

/** A tab in a browser context of its own. */
interface Tab {
  tab: DevToolsPage
  sessionId: string
  context: string
  /** Resolves when the process of the page has crashed. */
  crash: Promise<Visit>
}

async function openTab(browser: DevToolsBrowser): Promise<Tab> {
  const { browserContextId: context } = await browser.send<{ browserContextId: string }>('Target.createBrowserContext')
  const noDownloads = { behavior: 'deny', browserContextId: context }
  await browser.send('Browser.setDownloadBehavior', noDownloads)
  // In a window of its own it is in front, so that it is drawn.
  const created = { url: 'about:blank', browserContextId: context, newWindow: true }
  const { targetId } = await browser.send<{ targetId: string }>('Target.createTarget', created)
  const attached = await browser.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  const tab = browser.in(attached.sessionId)
  const crash = new Promise<Visit>((resolve) =>
    tab.on('Inspector.targetCrashed', () => resolve({ is: 'failed', failure: 'crashed' })),
  )
  return { tab, context, crash, sessionId: attached.sessionId }
}

/** Ends the page with its processes, also when its script never ends. Returns false when that takes too long. */
async function closed(browser: DevToolsBrowser, { context, sessionId }: Tab): Promise<boolean> {
  const closing = browser.send('Target.disposeBrowserContext', { browserContextId: context }).then(
    () => true,
    // A browser that has ended has closed all pages.
    () => true,
  )
  const isClosed = (await inTime(closing, closeMsMax, new AbortController().signal)) ?? false
  browser.forget(sessionId)
  return isClosed
}

/** Resolves with undefined when it takes too long. Rejects with the reason of the signal. */
async function inTime<Result>(work: Promise<Result>, msMax: number, signal: AbortSignal): Promise<Result | undefined> {
  const end = Promise.withResolvers<undefined>()
  const abort = () => end.reject(signal.reason)
  const timer = setTimeout(() => end.resolve(undefined), msMax)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, end.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    // What comes after the end of the time concerns no one.
    work.catch(() => undefined)
  }
}
