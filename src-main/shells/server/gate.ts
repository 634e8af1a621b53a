/**
 * Access control of the server shell's port. Any page in any browser of this machine can send requests here, including archived pages,
 * which are hostile; so everything not known to be Loupe's own is refused, and no CORS header is ever sent. Pure: it reads the head of a
 * request and returns the reason for a refusal. It does not know what the calls do.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { textFor } from '../../contract/words/render.ts'

/** The parts of a request that decide whether it is accepted. */
export interface RequestHead {
  method: string
  /** The request target as it was received. */
  target: string
  headers: IncomingHttpHeaders
}

/** The server's own addresses and secrets, and whether they admit the request. */
export interface Own {
  /** What a browser that shows the interface has in its address bar: scheme, host, and the port unless it is the usual one. */
  origins: readonly string[]
  /** Why a request is not answered, whatever it asks for. Absent: every request may be. */
  refusal?: () => Refusal | undefined
  /** Whether the request permits calls. */
  isAdmitted(): boolean
  /** Codes that each let one page of another origin open the interface: the file with which one of Loupe's windows begins. */
  openingCodes: ReadonlySet<string>
}

/**
 * Whether the request is for the proxy. RFC 9112 3.2: absolute-form is only for proxies; a browser sends origin-form to an origin server.
 */
export function isForProxy(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(target)
}

/** Where Prometheus reads the metrics. */
export const metricsTarget = '/metrics'

/** Whether the target is a question for the tokens of a user. The name is that of ManifoldCF's servlet. */
export function isForAcls(target: string): boolean {
  return /^\/UserACLs(?:\?|$)/.test(target)
}

/** Whether the target is a call, the events, the metrics, the tokens of a user, or an uploaded file: everything that needs the token. */
export function isForApi(target: string): boolean {
  return target.startsWith('/api/') || target === metricsTarget || isForAcls(target) || isForIncoming(target)
}

/** Where an account logs in (POST) and out (DELETE), and whether a client can (GET). */
export const logInTarget = '/api/login'

/** Where a log-in through a provider begins (POST), where the browser comes back (GET), and where the interface takes the token (POST). */
export const providerTarget = '/api/login/provider'
export const callbackTarget = '/api/login/callback'
const providerTokenTarget = '/api/login/token'

/** Whether the request is one of a log-in through a provider. */
export function isForProvider({ method, target }: Pick<RequestHead, 'method' | 'target'>): boolean {
  if (method === 'GET') return target.startsWith(`${callbackTarget}?`)
  return method === 'POST' && (target === providerTarget || target === providerTokenTarget)
}

/** Whether the target is an uploaded file. */
export function isForIncoming(target: string): boolean {
  return target.startsWith('/incoming/')
}

/** Returns the code in an address that opens the interface once; undefined where there is none. */
export function openingCodeOf(target: string): string | undefined {
  return /^\/\?open=([\w-]+)$/.exec(target)?.[1]
}

/** Why a request is refused. */
export interface Refusal {
  status: 401 | 403
  /** The end of a sentence that begins with "Refused:". */
  why: string
}

/**
 * Returns why this request is refused; undefined when it is accepted. 401 tells only the interface that its token belongs to an earlier
 * start; every other client gets 403.
 */
export function refusal(request: RequestHead, own: Own): Refusal | undefined {
  const foreign = foreignness(request, own)
  if (foreign !== undefined) return { status: 403, why: foreign }
  const refused = own.refusal?.()
  if (refused) return refused
  if (!isForApi(request.target) || isLoggingIn(request) || own.isAdmitted()) return undefined
  return { status: 401, why: textFor('gate.token') }
}

/** Returns why a request does not come from Loupe's own interface or command line; undefined when it may. */
function foreignness(request: RequestHead, own: Own): string | undefined {
  const { headers, target, method } = request
  // DNS rebinding: a foreign name that resolves to 127.0.0.1 makes a foreign page's requests same-origin. Its name is in Host.
  if (!own.origins.some((origin) => isHostOf(origin, headers.host))) return textFor('gate.host')
  if (headers.origin !== undefined && !own.origins.includes(headers.origin)) return textFor('gate.origin')
  // `none` is an action of the user: a typed address, a bookmark. Absent: the client is no browser, or one too old to send the
  // header.
  const site = headers['sec-fetch-site']
  const isOpening = method === 'GET' && own.openingCodes.has(openingCodeOf(target) ?? '')
  // The browser comes back from the provider, which is another site. The cookie and the state decide there.
  const isReturn = method === 'GET' && isForProvider(request) && headers['sec-fetch-mode'] === 'navigate'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpening && !isReturn)
    return textFor('gate.site')
  if (!isForApi(target) && method !== 'GET' && method !== 'HEAD') return textFor('gate.method')
  return undefined
}

/** Origins of a server of this machine only. */
export function localOrigins(port: number): string[] {
  return [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
}

/** Whether a Host header names an origin: a client may name the usual port or leave it out (RFC 9110, 7.2). */
export function isHostOf(origin: string, host = ''): boolean {
  const { protocol } = new URL(origin)
  return URL.parse(`${protocol}//${host}`)?.origin === origin && !/[/?#@\\\s]/.test(host)
}

/** Logging in, and the question whether one can, come before there is a token. */
function isLoggingIn({ method, target }: RequestHead): boolean {
  if (isForProvider({ method, target })) return true
  return target === logInTarget && (method === 'POST' || method === 'GET')
}

/** Returns the token that a request carries; '' where it carries none. */
export function tokenOf({ authorization = '' }: IncomingHttpHeaders): string {
  return /^Bearer (.+)$/s.exec(authorization)?.[1] ?? ''
}

/** Compares digests, so that neither the time taken nor the length reveals how much of a guess was right. */
export function isSameToken(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
