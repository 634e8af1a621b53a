/** Visits pages of an archive with a browser and collects the requests that the browser reports and what the pages show in the end.
 *  Does not judge whether that is correct. */
import type { Browser, Frame, Page, Request, Response } from '@playwright/test'

/** A request as the browser reported it. */
export interface Asked {
  method: string
  url: string
  /** Resource type in the terms of the DevTools protocol. */
  resourceType: string
  referrer: string
  /** Status of the answer; undefined when the page received none. */
  status: number | undefined
  /** Header fields of the answer, with names in lower case. */
  fields: Readonly<Record<string, string>>
  /** Chromium's error text when the request failed. */
  failure: string | undefined
  /** The request was in progress when the page was left, or began afterwards. */
  isBrokenOff: boolean
}

/** What a page or frame shows. */
export interface Shown {
  /** Address of a page or of a frame in it. */
  url: string
  title: string
  images: { url: string; width: number }[]
  styles: { url: string; hasRules: boolean }[]
  /** Icons, which a browser may request without reporting it. */
  icons: string[]
}

/** All requests of a visit, and what its pages and frames show. */
export interface Visit {
  asked: Asked[]
  shown: Shown[]
}

const tabs = 4
/** A page that does not stop sending requests is examined after this time. */
const quietMsMax = 60_000

/** Visits the pages in a browser context of their own, so that nothing of earlier archives is cached. Calls `look` for each page once
 *  it is quiet. */
export async function visit(
  browser: Browser,
  urls: readonly string[],
  look: (page: Page, url: string) => Promise<void> = async () => undefined,
): Promise<Visit> {
  const context = await browser.newContext()
  // The time limit of the test is sufficient.
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

/** Observes the requests of a page. `open` holds those in progress; `quiet` resolves when none is in progress and the page sends no
 *  more when idle, at the latest after `quietMsMax`. */
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

/** What a frame shows; nothing when the frame has been removed. */
async function shownIn(frame: Frame): Promise<Shown[]> {
  try {
    return [await settled(frame, lookedAt)]
  } catch (error) {
    if (frame.isDetached()) return []
    throw error
  }
}

/** Evaluates a function in a frame; when the frame navigates in the meantime, evaluates it again in the next document. */
async function settled<Found>(frame: Frame, find: () => Found | Promise<Found>): Promise<Found> {
  for (;;)
    try {
      return await frame.evaluate(find)
    } catch (error) {
      if (!(error instanceof Error && /context was destroyed/.test(error.message))) throw error
      await frame.waitForLoadState()
    }
}

/** Collects images, style sheets and icons. Runs in the page. */
function lookedAt(): Shown {
  const hasRules = ({ sheet }: HTMLLinkElement) => {
    try {
      return (sheet?.cssRules.length ?? 0) > 0
    } catch {
      // A style sheet of another origin: scripts may not read its rules, but it is loaded.
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
