/** Who may ask what at the server shell's port. Any page in any browser of this machine can send requests here, archived
 *  pages among them, which are hostile; so what is not known to be ours is refused, and nothing is ever said in a CORS
 *  header. Pure: it sees a request's head and gives a sentence why not. It does not know what the calls do. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface RequestHead {
  method: string
  /** The request target as it came. */
  target: string
  headers: IncomingHttpHeaders
}

export interface Own {
  port: number
  token: string
  /** Each lets one page of another origin open the interface: the file with which a window of ours begins. */
  openingCodes: ReadonlySet<string>
}

/** RFC 9112 3.2: only a proxy is asked in absolute-form; a browser asks an origin server in origin-form. */
export function isForProxy(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(target)
}

/** A call, the events, or a file that is handed over: whatever needs the token. */
export function isForApi(target: string): boolean {
  return target.startsWith('/api/') || isForIncoming(target)
}

export function isForIncoming(target: string): boolean {
  return target.startsWith('/incoming/')
}

/** The code in an address that opens the interface once; undefined where there is none. */
export function openingCodeOf(target: string): string | undefined {
  return /^\/\?open=([\w-]+)$/.exec(target)?.[1]
}

export interface Refusal {
  status: 401 | 403
  /** The end of a sentence that begins with "Refused:". */
  why: string
}

/** Why this request is refused, undefined when it is not. 401 only says to our own interface that its token is of an
 *  earlier start; every other client gets 403. */
export function refusal(request: RequestHead, own: Own): Refusal | undefined {
  const foreign = foreignness(request, own)
  if (foreign !== undefined) return { status: 403, why: foreign }
  if (!isForApi(request.target) || bearsToken(request.headers.authorization, own.token)) return undefined
  return { status: 401, why: 'the session token is missing or wrong' }
}

function foreignness(request: RequestHead, own: Own): string | undefined {
  const { headers, target, method } = request
  // DNS rebinding: a foreign name that resolves to 127.0.0.1 makes a foreign page's requests same-origin. Its name is in Host.
  if (!ownHosts(own.port).includes(headers.host ?? '')) return 'the Host header does not name this address'
  if (headers.origin !== undefined && !ownHosts(own.port).includes(headers.origin.replace(/^http:\/\//, '')))
    return 'the request comes from another origin'
  // `none` is a person's own doing: a typed address, a bookmark. Absent: not a browser, or one too old to say.
  const site = headers['sec-fetch-site']
  const isOpening = method === 'GET' && own.openingCodes.has(openingCodeOf(target) ?? '')
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpening)
    return 'the request comes from another site'
  if (!isForApi(target) && method !== 'GET' && method !== 'HEAD') return 'only GET and HEAD are answered here'
  return undefined
}

function ownHosts(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`]
}

/** Compares digests, so that neither the time taken nor the length says how much of a guess was right. */
function bearsToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}
