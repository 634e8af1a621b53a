/** How far a page has come, from what its browser tells: whether it has loaded, whether it still asks for something, and which document
 *  it shows in the end. */
import type { DevToolsPage } from './devToolsPipe.ts'

/** Past this a page is taken as it is. */
const loadMsMax = 30_000
/** A page that never rests (it asks again and again) is taken after so long. */
const quietMsMax = 10_000
/** Nothing is asked for so long: then scripts have done what they do by themselves. */
const restMs = 500

export interface PageLoading {
  /** Loaded, and quiet after it; false: it took too long. */
  done(): Promise<boolean>
  /** Nothing is being asked for; false: that never came. */
  quiet(): Promise<boolean>
  /** The last one that the page itself was; `captured` null: it is not of the archive. */
  document(): { url: string; captured: string | null }
}

interface Response {
  type: string
  frameId: string
  response: { url: string; headers: Record<string, string> }
}

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
    // The first document of all is the page's own; its frames come after it.
    if (type === 'Document') top ??= frameId
    if (type === 'Document' && frameId === top) document = { url: response.url, captured: capturedIn(response.headers) }
  })

  function quiet(): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isQuiet: boolean) => {
        clearTimeout(resting)
        clearTimeout(patience)
        onChange = () => {}
        resolve(isQuiet)
      }
      const patience = setTimeout(() => end(false), quietMsMax)
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

/** RFC 7089 2.1.1: every answer out of the archive says of when it is. */
function capturedIn(headers: Record<string, string>): string | null {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'memento-datetime') ?? []
  return value === undefined || Number.isNaN(Date.parse(value)) ? null : new Date(value).toISOString()
}
