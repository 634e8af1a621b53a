/**
 * A page in a tab of its own: loaded, scrolled through, and looked at. Scripts of the page run, and may do anything that a tab can: dialogs are
 * closed, and each step has a time limit, because a script that never ends lets the tab answer nothing any more.
 */
import type { PageToVisit, SeenResource, Visit } from '../../app/given/pageBrowser.ts'
import { archivedAddress } from '../../contract/text/viewerAddresses.ts'
import { beginningOf, imageOf, pageSize } from '../picture/wholePage.ts'
import { answerLive } from './answerLive.ts'
import { CallRefused, type DevToolsBrowser, type DevToolsPage } from './devToolsPipe.ts'
import { identify } from './identify.ts'
import { pageLoading } from './pageLoading.ts'
import { seenErrors } from './seenErrors.ts'
import { seenResources } from './seenResources.ts'
import { scrollScript } from './scrollScript.ts'
import { layOut, settled } from './settledPage.ts'

/** Height of a screenshot: its comparison holds several copies of its pixels in memory. */
const screenshotHeightPxMax = 6_000
const thumbnail = { widthPxMax: 320, heightPxMax: 240 }
/** Length of the text that is kept. */
const textCharactersMax = 1_000_000

/** The browser did not show the page: it could not be loaded at all. */
export class NotLoaded extends Error {}

/** Opens the page in the tab, and tells what is there. Rejects with `NotLoaded`, or when the browser ends. */
export async function visitTab(browser: DevToolsBrowser, tab: DevToolsPage, wanted: PageToVisit): Promise<Visit> {
  const { page: source } = wanted
  const start = source.is === 'live' ? source.url : source.enter
  const resources = seenResources(new URL(start).host)
  const errors = seenErrors()
  const loading = pageLoading(tab)
  const observe = (session: DevToolsPage, id: string) => {
    resources.observe(session, id)
    errors.observe(session)
    if (source.is === 'live') answerLive(session, source.answer)
  }
  observe(tab, '')
  await followFrames(browser, tab, (session, id) => {
    observe(session, id)
    loading.observe(session, id)
  })
  tab.on('Page.javascriptDialogOpening', () => {
    // The tab may be closed already; then there is no dialog.
    tab.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => undefined)
  })
  await tab.send('Page.enable')
  await tab.send('Emulation.setFocusEmulationEnabled', { enabled: true })
  const stillness = [{ name: 'prefers-reduced-motion', value: 'reduce' }]
  await tab.send('Emulation.setEmulatedMedia', { features: stillness })
  await layOut(tab, { width: wanted.widthPx })
  if (source.is === 'archived') await identify(tab, source)
  const { errorText } = await tab.send<{ errorText?: string }>('Page.navigate', { url: start })
  if (errorText !== undefined) throw new NotLoaded(errorText)
  const how = { widthPx: wanted.widthPx, heightPxMax: screenshotHeightPxMax, look: () => scrolledThrough(tab) }
  const isLoaded = await settled(tab, loading, how)
  const { title, text } = await read(tab)
  const { bytes: screenshot, isCut } = await imageOf(tab, screenshotHeightPxMax)
  const { url, status } = loading.document()
  const thumbnail = await thumbnailOf(tab, wanted.widthPx)
  // In this order: a page goes on loading, and an error must not be known before the resource from which it follows.
  const printed = [...errors.list()]
  await resources.answered((url) => printed.some((error) => error.includes(url)))
  const seen = resources.list()
  const visited = {
    ...{ url: archivedAddress(url), status, title, text, screenshot, isCut, isLoaded },
    ...{ thumbnail, resources: seen, consoleErrors: ownErrors(printed, seen) },
  }
  return { is: 'visited', page: visited }
}

/** Payload of `Target.attachedToTarget`. */
interface Attached {
  sessionId: string
  targetInfo: { targetId: string }
}

/** Calls `observe` for each frame of another site and each worker, which have sessions of their own, before they load. The identifier of a
 *  frame is that of its target. */
async function followFrames(
  browser: DevToolsBrowser,
  tab: DevToolsPage,
  observe: (session: DevToolsPage, id: string) => void,
): Promise<void> {
  const follow = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }
  async function enable(session: DevToolsPage): Promise<void> {
    session.on<Attached>('Target.attachedToTarget', ({ sessionId, targetInfo: { targetId } }) => {
      const frame = browser.in(sessionId)
      observe(frame, targetId)
      // A frame may be gone before it is observed, and a worker has no log.
      enable(frame)
        .catch(() => undefined)
        .finally(() => void frame.send('Runtime.runIfWaitingForDebugger').catch(() => undefined))
    })
    session.on<{ sessionId: string }>('Target.detachedFromTarget', ({ sessionId }) => browser.forget(sessionId))
    await session.send('Network.enable')
    await session.send('Runtime.enable')
    await session.send('Target.setAutoAttach', follow)
    await session.send('Log.enable')
  }
  await enable(tab)
}

/** Leaves out errors that follow from a resource that is counted, such as the type of the answer for a style sheet that is missing. */
function ownErrors(errors: readonly string[], resources: readonly SeenResource[]): string[] {
  const faulty = resources.filter(({ found }) => found !== 'good').map(({ url }) => url)
  return errors.filter((error) => !faulty.some((url) => error.includes(url)))
}

/** Scrolls to the end of the page, window by window, and back. A page that leads to another one meanwhile is not scrolled. */
async function scrolledThrough(tab: DevToolsPage): Promise<void> {
  await untilLeft(() => evaluated(tab, scrollScript))
}

/** Returns undefined when the page was left while it was asked. */
async function untilLeft<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof CallRefused) return undefined
    throw error
  }
}

async function read(tab: DevToolsPage): Promise<{ title: string; text: string }> {
  const found = await evaluated<{ title: unknown; text: unknown }>(
    tab,
    `({ title: document.title, text: (document.body?.innerText ?? '').slice(0, ${textCharactersMax}) })`,
  )
  // A page may replace both by something else.
  const textIn = (value: unknown) => (typeof value === 'string' ? value : '')
  return { title: textIn(found?.title), text: textIn(found?.text) }
}

async function evaluated<Value>(tab: DevToolsPage, expression: string): Promise<Value | undefined> {
  const asked = { expression, awaitPromise: true, returnByValue: true }
  return (await tab.send<{ result: { value?: Value } }>('Runtime.evaluate', asked)).result.value
}

async function thumbnailOf(tab: DevToolsPage, widthPx: number): Promise<Buffer> {
  const scale = Math.min(thumbnail.widthPxMax / widthPx, 1)
  const { height } = await pageSize(tab)
  const highest = Math.floor(thumbnail.heightPxMax / scale)
  return beginningOf(tab, { width: widthPx, height: Math.min(Math.max(height, 1), highest), scale })
}
