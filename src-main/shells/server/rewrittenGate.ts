/**
 * Access control of the port for rewritten replay. It has two origins: a page of Loupe that frames, and names, the archived page; and the archived
 * pages. The host names of both contain a secret of this start. An archived page knows the name of its own origin, and this origin gives
 * captures only. Pure: it reads the head of a request.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { textFor } from '../../contract/words/render.ts'
import type { RequestHead } from './gate.ts'

/** The two origins of one start. They are one site, so that the browser gives the archived pages their service worker in a frame. */
export interface RewrittenOrigins {
  /** Loupe's page with the frame. */
  frame: string
  /** The archived pages. */
  pages: string
}

/** Names below `localhost` are this machine (RFC 6761 6.3), and browsers let pages of them have service workers (Secure Contexts 3.1). */
export function rewrittenOrigins(secret: string, port: number): RewrittenOrigins {
  const host = `${secret}.replay.localhost:${port}`
  return { frame: `http://${host}`, pages: `http://pages.${host}` }
}

/** What a request is for: a file of one of the origins, or a captured URL. */
export type RewrittenTarget = { of: 'frame' | 'pages'; path: string } | { of: 'capture'; url: string }

const capturePath = '/capture/'

/** Returns what the request is for, or why it is refused. */
export function targetOf(request: RequestHead, origins: RewrittenOrigins): RewrittenTarget | { refusal: string } {
  const { method, target, headers } = request
  const of = (['frame', 'pages'] as const).find((name) => new URL(origins[name]).host === headers.host)
  // Other pages of this machine and of the Web do not know the name, and a name of theirs that leads here is another one.
  if (of === undefined) return { refusal: textFor('gate.host') }
  if (of === 'pages' && target.startsWith(capturePath)) {
    if (!isOfWorker(headers)) return { refusal: textFor('gate.worker') }
    // Before the URL, wabac.js writes the time in the address of the page. It is left out: the view has a time.
    return { of: 'capture', url: target.slice(capturePath.length).replace(/^\d*[a-z]+_\//, '') }
  }
  if (method !== 'GET' && method !== 'HEAD') return { refusal: textFor('gate.method') }
  return { of, path: target.replace(/\?.*$/s, '') }
}

/** Whether a script of the same origin fetches. Captures are neither pages nor workers of this origin: those of the worker are rewritten. */
function isOfWorker(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-dest': destination = 'empty', 'sec-fetch-site': site = 'same-origin' } = headers
  return destination === 'empty' && site === 'same-origin' && headers['service-worker'] === undefined
}
