/** What a page and its frames request, from the browser's events, and whether the archive had it. */
import type { SeenResource } from '../../app/given/pageBrowser.ts'
import { archivedAddress } from '../../contract/text/viewerAddresses.ts'
import { fieldIn } from './answerFields.ts'
import type { DevToolsPage } from './devToolsPipe.ts'

/** Resources of one page that are counted. A page that requests more is broken in a way that more rows do not explain. */
const resourcesMax = 5_000

/** Resource types of the DevTools protocol, as Sec-Fetch-Dest names them. */
const destinations: Readonly<Record<string, string>> = {
  Document: 'document',
  Stylesheet: 'style',
  Image: 'image',
  Media: 'video',
  Font: 'font',
  Script: 'script',
  TextTrack: 'track',
  XHR: 'empty',
  Fetch: 'empty',
  EventSource: 'empty',
  Manifest: 'manifest',
}

/** Requests on whose answers nothing depends that a page shows. */
const isUnseen = new Set(['Ping', 'CSPViolationReport', 'Preflight', 'Prefetch'])

/** Rules of the page itself or of the browser that stop a request. They stopped it in the live page, too. */
const isOwnRule = new Set(['csp', 'inspector', 'subresource-filter', 'corp-not-same-origin'])

/** The resources seen so far. */
export interface SeenResources {
  /** Observes one more session: the page, a frame or a worker. */
  observe(session: DevToolsPage, id: string): void
  /** Resolves when the refused requests that `isMeant` selects have been answered, or when `answerMsMax` has passed. */
  answered(isMeant: (url: string) => boolean): Promise<void>
  list(): SeenResource[]
}

/** Time that the answer of a request may take that the browser refuses: the network process reports it, on a busy machine later than the page
 *  reports the refusal. */
const answerMsMax = 10_000

interface Request extends SeenResource {
  isAnswered: boolean
  isLeftOut: boolean
  /** Ended without an answer, as far as is known: the answer of a request that the browser refuses may be reported later, by another process. */
  isStopped: boolean
  /** Stopped by the browser because of its answer, as a style sheet of another media type. A rule stops a request before there is one, and a script of
   *  the page stops its own. */
  isRefused: boolean
}

/** Events of the DevTools protocol, as far as they are read here. */
interface Sent {
  requestId: string
  type?: string
  request: { url: string; method: string }
}
interface Answered {
  requestId: string
  type: string
  response: { url: string; status: number; headers: Record<string, string> }
}
interface AnsweredRaw {
  requestId: string
  statusCode: number
  headers: Record<string, string>
}
interface Failed {
  requestId: string
  canceled?: boolean
  blockedReason?: string
}

/** Collects the resources. Requests to `ownHost` are the viewer's. */
export function seenResources(ownHost: string): SeenResources {
  const requests = new Map<string, Request>()
  let onAnswer = () => {}

  function answer(request: Request | undefined, status: number, headers: Record<string, string>): void {
    if (!request || request.isAnswered) return
    const kind = fieldIn(headers, 'x-loupe')
    request.status = kind === 'not-in-archive' ? null : status
    request.found = kind === 'not-in-archive' ? 'missing' : status >= 400 ? 'bad' : 'good'
    request.isAnswered = true
    onAnswer()
  }

  function observe(session: DevToolsPage, id: string): void {
    const known = (requestId: string) => requests.get(`${id} ${requestId}`)
    session.on<Sent>('Network.requestWillBeSent', ({ requestId, type = '', request: { url, method } }) => {
      // After a redirect the same request goes on to another URL.
      const key = `${id} ${requestId}`
      if (!requests.has(key) && requests.size >= resourcesMax) return
      requests.set(key, {
        ...{ url: archivedAddress(withoutFragment(url)), type: destinations[type] ?? '', method },
        ...{ status: null, found: 'bad', isAnswered: false, isStopped: false, isRefused: false },
        isLeftOut: isUnseen.has(type) || !isCounted(url, ownHost),
      })
    })
    session.on<Answered>('Network.responseReceived', ({ requestId, response }) =>
      answer(known(requestId), response.status, response.headers),
    )
    // The only event with the answer where the browser refuses it to the page, as for a font of another site that has no CORS field.
    session.on<AnsweredRaw>('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) => {
      if (statusCode >= 400) answer(known(requestId), statusCode, headers)
    })
    session.on<Failed>('Network.loadingFailed', ({ requestId, canceled = false, blockedReason = '' }) => {
      const request = known(requestId)
      if (!request || !(canceled || isOwnRule.has(blockedReason))) return
      request.isStopped = true
      request.isRefused = canceled && request.type !== 'empty'
    })
  }

  function isAwaited(isMeant: (url: string) => boolean): boolean {
    return [...requests.values()].some(
      ({ url, isRefused, isAnswered, isLeftOut }) => isRefused && !isAnswered && !isLeftOut && isMeant(url),
    )
  }

  return {
    observe,
    answered(isMeant) {
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timeout)
          onAnswer = () => {}
          resolve()
        }
        const timeout = setTimeout(end, answerMsMax)
        onAnswer = () => {
          if (!isAwaited(isMeant)) end()
        }
        onAnswer()
      })
    },
    list() {
      const counted = [...requests.values()].filter(
        ({ isLeftOut, isStopped, isAnswered }) => !isLeftOut && (isAnswered || !isStopped),
      )
      // What a page requests again is one resource.
      const distinct = new Map(counted.map((request) => [`${request.method} ${request.url}`, request]))
      return [...distinct.values()].map(
        ({ isAnswered: _, isLeftOut: __, isStopped: ___, isRefused: ____, ...resource }) => resource,
      )
    },
  }
}

function isCounted(text: string, ownHost: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.host !== ownHost
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url
}
