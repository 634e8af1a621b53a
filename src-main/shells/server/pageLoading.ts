/**
 * How far the loading of a page has come, from the browser's events: whether it has loaded, whether requests are open, and which document
 * it shows in the end.
 */
import type { DevToolsPage } from './devToolsPipe.ts'

/** Time after which a page is used as it is. */
const loadMsMax = 30_000
/** Time after which a page that never becomes quiet (it keeps sending requests) is used. */
const quietMsMax = 10_000
/** Time without open requests after which the page counts as quiet: its scripts have finished their initial work. */
const restMs = 500

/** The progress of one page. */
export interface PageLoading {
  /** Resolves once the page has loaded and is quiet; with false when that took too long. */
  done(): Promise<boolean>
  /** Resolves once no request is open; with false when that did not happen in time. */
  quiet(): Promise<boolean>
  /** Returns the last document of the page itself. `captured` is null when it does not come from the archive. */
  document(): { url: string; captured: string | null }
}

/** Payload of `Network.responseReceived`. */
interface Response {
  type: string
  frameId: string
  response: { url: string; headers: Record<string, string> }
}

/** Observes the events of a page. Must be called before the page is loaded. */
export function pageLoading(page: DevToolsPage): PageLoading {
  const open = new Set<string>()
  const loaded = Promise.withResolvers<true>()
  let top: string | undefined
  let document: { url: string; captured: string | null } = { url: '', captured: null }
  let onChange = () => {}

  const ended = ({ requestId }: { requestId: string }) => {
    open.delete(requestId)
    onChange()
  }
  page.on<{ requestId: string }>('Network.requestWillBeSent', ({ requestId }) => {
    open.add(requestId)
    onChange()
  })
  page.on('Network.loadingFinished', ended)
  page.on('Network.loadingFailed', ended)
  page.on('Page.loadEventFired', () => loaded.resolve(true))
  page.on<Response>('Network.responseReceived', ({ type, frameId, response }) => {
    // The first document is the page's own; its frames come after it.
    if (type === 'Document') top ??= frameId
    if (type === 'Document' && frameId === top) document = { url: response.url, captured: capturedIn(response.headers) }
  })

  function quiet(): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isQuiet: boolean) => {
        clearTimeout(resting)
        clearTimeout(timeout)
        onChange = () => {}
        resolve(isQuiet)
      }
      const timeout = setTimeout(() => end(false), quietMsMax)
      let resting: NodeJS.Timeout | undefined
      onChange = () => {
        clearTimeout(resting)
        if (open.size === 0) resting = setTimeout(() => end(true), restMs)
      }
      onChange()
    })
  }

  return {
    async done() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), loadMsMax)))
      const isLoaded = await Promise.race([loaded.promise, late])
      clearTimeout(timer)
      const isQuiet = await quiet()
      return isLoaded && isQuiet
    },
    quiet,
    document: () => document,
  }
}

/** Returns the time of capture. RFC 7089 2.1.1: every answer from the archive states its time. */
function capturedIn(headers: Record<string, string>): string | null {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'memento-datetime') ?? []
  return value === undefined || Number.isNaN(Date.parse(value)) ? null : new Date(value).toISOString()
}
