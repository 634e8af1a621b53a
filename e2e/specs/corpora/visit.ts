/** Pages of an archive, visited by a browser: what it asked for, as it tells itself, and what of that is on the pages then. What is
 *  right of it is not decided here. */
import type { Browser, Frame, Page, Request, Response } from '@playwright/test'

export interface Asked {
  method: string
  url: string
  /** In the words of the DevTools protocol. */
  resourceType: string
  referrer: string
  /** Undefined: no answer was given to the page. */
  status: number | undefined
  /** By small names. */
  fields: Readonly<Record<string, string>>
  /** In Chromium's words. */
  failure: string | undefined
  /** It was on its way when the page was left, or began then. */
  isBrokenOff: boolean
}

export interface Shown {
  /** Of a page, or of a frame in it. */
  url: string
  title: string
  images: { url: string; width: number }[]
  styles: { url: string; hasRules: boolean }[]
  /** That a browser may ask for by itself, without telling. */
  icons: string[]
}

export interface Visit {
  asked: Asked[]
  shown: Shown[]
}

const tabs = 4
/** A page that never stops asking is looked at as it is then. */
const quietMsMax = 60_000

/** In a context of its own, so that nothing is kept of the archive before. */
export async function visit(
  browser: Browser,
  urls: readonly string[],
  look: (page: Page, url: string) => Promise<void> = async () => undefined,
): Promise<Visit> {
  const context = await browser.newContext()
  // The test itself ends when it takes too long.
  context.setDefaultTimeout(0)
  const requests: Request[] = []
  const responses = new Map<Request, Response>()
  context.on('request', (request) => requests.push(request))
  context.on('response', (response) => responses.set(response.request(), response))
  const brokenOff = new Set<Request>()
  const waiting = [...urls]
  const shown: Shown[] = []
  const visitWaiting = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const page = await context.newPage()
      const { open, quiet } = openQuiet(page)
      await page.goto(url)
      await quiet()
      for (const frame of page.frames()) shown.push(...(await shownIn(frame)))
      await look(page, url)
      for (const request of open) brokenOff.add(request)
      page.on('request', (request) => brokenOff.add(request))
      await page.goto('about:blank')
      await page.close()
    }
  }
  try {
    await Promise.all(Array.from({ length: tabs }, visitWaiting))
    const asked = requests.map((request) => ({
      ...askedBy(request, responses.get(request)),
      isBrokenOff: brokenOff.has(request),
    }))
    return { asked, shown }
  } finally {
    await context.close()
  }
}

function askedBy(request: Request, response: Response | undefined): Omit<Asked, 'isBrokenOff'> {
  return {
    method: request.method(),
    url: request.url(),
    resourceType: request.resourceType(),
    referrer: request.headers()['referer'] ?? '',
    status: response?.status(),
    fields: response?.headers() ?? {},
    failure: request.failure()?.errorText,
  }
}

/** `quiet` resolves when nothing that the page asked for is on its way, and it asks for nothing more in the time that it has. */
function openQuiet(page: Page): { open: ReadonlySet<Request>; quiet: () => Promise<void> } {
  const open = new Set<Request>()
  let ended = Promise.withResolvers<void>()
  const end = (request: Request) => {
    open.delete(request)
    if (open.size > 0) return
    ended.resolve()
    ended = Promise.withResolvers<void>()
  }
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const quiet = async () => {
    const late = AbortSignal.timeout(quietMsMax)
    const tooLate = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
    do {
      if (open.size > 0) await Promise.race([ended.promise, tooLate])
      await settled(page.mainFrame(), () => new Promise((idle) => requestIdleCallback(idle, { timeout: 200 })))
    } while (open.size > 0 && !late.aborted)
  }
  return { open, quiet }
}

/** Nothing of a frame that has gone. */
async function shownIn(frame: Frame): Promise<Shown[]> {
  try {
    return [await settled(frame, lookedAt)]
  } catch (error) {
    if (frame.isDetached()) return []
    throw error
  }
}

/** What a page finds in itself; of the next one, where it goes on to another meanwhile. */
async function settled<Found>(frame: Frame, find: () => Found | Promise<Found>): Promise<Found> {
  for (;;)
    try {
      return await frame.evaluate(find)
    } catch (error) {
      if (!(error instanceof Error && /context was destroyed/.test(error.message))) throw error
      await frame.waitForLoadState()
    }
}

/** Runs in the page. */
function lookedAt(): Shown {
  const hasRules = ({ sheet }: HTMLLinkElement) => {
    try {
      return (sheet?.cssRules.length ?? 0) > 0
    } catch {
      // Of another site: no script may look into it, but it is there.
      return sheet !== null
    }
  }
  const links = [...document.querySelectorAll('link')]
  const styles = links.filter(({ rel, href }) => /\bstylesheet\b/i.test(rel) && href !== '')
  return {
    url: location.href,
    title: document.title,
    images: [...document.images].map((image) => ({ url: image.currentSrc, width: image.naturalWidth })),
    styles: styles.map((link) => ({ url: link.href, hasRules: hasRules(link) })),
    icons: links.filter(({ rel }) => /\bicon\b/i.test(rel)).map(({ href }) => href),
  }
}
