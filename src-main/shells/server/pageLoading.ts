/**
 * How far the loading of a page has come, from the browser's events: whether it has loaded, whether requests are open, and which document
 * it shows in the end.
 */
import { fieldIn } from './answerFields.ts'
import type { DevToolsPage } from './devToolsPipe.ts'

/** Time after which a page is used as it is. */
const loadMsMax = 30_000
/** Time after which a page that never becomes quiet (it keeps sending requests) is used. */
const quietMsMax = 10_000
/** Time without open requests after which the page counts as quiet: its scripts have finished their initial work. */
const restMs = 500

/** Types of requests that count as ended when they are answered: a script may never read the content, and a stream has no end. */
const endsWithAnswer = new Set(['Fetch', 'EventSource'])

/** The progress of one page. */
export interface PageLoading {
  /** Observes the requests of a frame or a worker of the page that has a session of its own. `frameId`: of a frame. */
  observe(session: DevToolsPage, frameId: string): void
  /** Resolves once the page has loaded and is quiet; with false when that took too long. */
  done(): Promise<boolean>
  /** Resolves once no request is open; with false when that did not happen in time. */
  quiet(): Promise<boolean>
  /** Returns the last document of the page itself. `captured` and `status` are null when it does not come from the archive. */
  document(): PageDocument
}

/** The document that a page shows. */
interface PageDocument {
  url: string
  /** Status of the answer; null: there was none. */
  status: number | null
  /** ISO 8601; null when it does not come from the archive. */
  captured: string | null
}

/** Payload of `Network.responseReceived`. */
interface Response {
  requestId: string
  type: string
  frameId: string
  response: { url: string; status: number; headers: Record<string, string> }
}

/** Payload of `Network.requestWillBeSent`. */
interface Request {
  requestId: string
  frameId?: string
}

/** Observes the events of a page. Must be called before the page is loaded. */
export function pageLoading(page: DevToolsPage): PageLoading {
  /** The frame of each open request, by session and request. */
  const open = new Map<string, string | undefined>()
  const loaded = Promise.withResolvers<true>()
  let top: string | undefined
  let document: PageDocument = { url: '', status: null, captured: null }
  let onChange = () => {}

  function observe(session: DevToolsPage, id: string): void {
    const ended = ({ requestId }: { requestId: string }) => {
      open.delete(`${id} ${requestId}`)
      onChange()
    }
    session.on<Request>('Network.requestWillBeSent', ({ requestId, frameId }) => {
      open.set(`${id} ${requestId}`, frameId)
      onChange()
    })
    session.on('Network.loadingFinished', ended)
    session.on('Network.loadingFailed', ended)
    session.on<Response>('Network.responseReceived', (answer) => {
      if (endsWithAnswer.has(answer.type)) ended(answer)
    })
  }

  observe(page, '')
  page.on('Page.loadEventFired', () => loaded.resolve(true))
  page.on<Response>('Network.responseReceived', ({ type, frameId, response: { url, status, headers } }) => {
    // The first document is the page's own; its frames come after it.
    if (type === 'Document') top ??= frameId
    if (type === 'Document' && frameId === top) document = { url, status, captured: capturedIn(headers) }
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
    observe(session, frameId) {
      // The request for the document of the frame began in the session of its page, and ends in the new one.
      for (const [request, frame] of open) if (frame === frameId) open.delete(request)
      onChange()
      observe(session, frameId)
    },
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
  const value = fieldIn(headers, 'memento-datetime')
  return value === undefined || Number.isNaN(Date.parse(value)) ? null : new Date(value).toISOString()
}
