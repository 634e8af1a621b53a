/** Pages of a generated host that need a login, as its server implements it: basic access, digest access with nonces that expire, or a
 *  form whose sessions end in the middle. The pages do not depend on how often a client logged in, so a disturbed harvest must have them
 *  all. */
import type { Login } from '../contract/services/login.ts'
import { digester } from '../formats/bytes/digest.ts'
import type { SeededChance } from '../world/testing/seededChance.ts'
import { pick } from './pick.ts'

/** How the login of a host works. */
export interface Members {
  kind: 'basic' | 'digest' | 'form'
  /** Number of pages per session or nonce. */
  lasts: number
}

/** A request as the server reads it. */
export interface Request {
  method: string
  path: string
  /** Field names in lower case. */
  fields: ReadonlyMap<string, string>
  body: string
}

/** The response instead of the page: a challenge, a form, or a redirect to it. `fields` are header lines. */
export interface Refusal {
  status: number
  body: string
  fields: string[]
}

/** Decides about a request: undefined when access is granted. */
export type Gate = (request: Request) => Refusal | undefined

/** The account that all hosts know. Its characters need quoting in every scheme. */
export const account = { name: 'members', user: 'a member', password: 'Xyzzy: "pass" & more' }
/** Everything below it needs the login. */
export const membersFolder = '/members/'
/** Ends every session; harvesters must not follow it. */
export const logoutPath = `${membersFolder}logout`
const [loginPath, sessionPath, welcomePath] = ['/login', '/session', '/welcome']

/** Draws the kind of login and how long a session lasts. */
export function drawMembers(chance: SeededChance): Members {
  return { kind: pick(chance, ['form', 'form', 'basic', 'digest']), lasts: 4 + chance.below(6) }
}

/** The login as a user would define it. */
export function loginTo(origin: string, { kind }: Members): Login['areas'][number] {
  const area = { credential: account.name, urls: [`${origin}${membersFolder}`], untrusted: false }
  if (kind !== 'form') return { kind, ...area }
  const form = { page: `${origin}${loginPath}`, userField: 'user', passwordField: 'pass', otherFields: {} }
  return { kind, ...area, ...form, success: {}, loggedOut: {}, avoid: ['logout'] }
}

/** Whether a request is part of a login, or answers a 401: it belongs to the turn of the page that needs the login. */
export function isOfLogin(path: string, before: string): boolean {
  const steps: readonly string[] = [loginPath, sessionPath, welcomePath]
  return [path, before].some((each) => steps.includes(each) || each.startsWith(membersFolder))
}

/** Returns the gate of a host. It counts uses, so each host needs its own. */
export function gateOf({ kind, lasts }: Members): Gate {
  if (kind === 'basic') return basicGate
  return kind === 'digest' ? digestGate(lasts) : formGate(lasts)
}

function basicGate({ path, fields }: Request): Refusal | undefined {
  if (!path.startsWith(membersFolder)) return undefined
  const expected = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
  if (fields.get('authorization') === expected) return undefined
  return { status: 401, body: 'No.', fields: ['WWW-Authenticate: Basic realm="members", charset="UTF-8"'] }
}

function digestGate(lasts: number): Gate {
  /** Remaining uses of each nonce, and the counts it was used with. */
  const nonces = new Map<string, { left: number; counts: Set<string> }>()
  return ({ path, fields }) => {
    if (!path.startsWith(membersFolder)) return undefined
    const given = parametersOf(fields.get('authorization') ?? '')
    const nonce = nonces.get(given.get('nonce') ?? '')
    const isRight = given.get('response') === digestOf(path, given)
    const count = given.get('nc') ?? ''
    if (isRight && nonce && nonce.left > 0 && !nonce.counts.has(count)) {
      nonce.left -= 1
      nonce.counts.add(count)
      return undefined
    }
    const fresh = `nonce${nonces.size}`
    nonces.set(fresh, { left: lasts, counts: new Set() })
    const stale = isRight && nonce?.left === 0 ? ', stale=true' : ''
    const challenge = `Digest realm="members", nonce="${fresh}", qop="auth", algorithm=SHA-256${stale}`
    return { status: 401, body: 'No.', fields: [`WWW-Authenticate: ${challenge}`] }
  }
}

/** RFC 7616 section 3.4.1. */
function digestOf(target: string, given: ReadonlyMap<string, string>): string {
  const key = sha256(`${account.user}:members:${account.password}`)
  const middle = [given.get('nonce'), given.get('nc'), given.get('cnonce'), 'auth'].join(':')
  return sha256(`${key}:${middle}:${sha256(`GET:${target}`)}`)
}

function formGate(lasts: number): Gate {
  /** Remaining pages of each session. */
  const sessions = new Map<string, number>()
  const tokens = new Set<string>()

  function form(): Refusal {
    const token = `token${tokens.size}`
    tokens.add(token)
    const body = `<form action="${sessionPath}" method="post"><input type="hidden" name="token" value="${token}">
<input name="user"><input type="password" name="pass"><button>In</button></form>`
    return { status: 200, body, fields: [`Set-Cookie: guard=${token}; Path=/`] }
  }

  function open({ fields, body }: Request): Refusal {
    const sent = new URLSearchParams(body)
    const isMeant = tokens.has(sent.get('token') ?? '') && sent.get('token') === cookieIn(fields, 'guard')
    if (!isMeant || sent.get('user') !== account.user || sent.get('pass') !== account.password) return form()
    const id = `session${sessions.size}`
    sessions.set(id, lasts)
    return { status: 303, body: '', fields: [`Location: ${welcomePath}`, `Set-Cookie: sid=${id}; HttpOnly; Path=/`] }
  }

  return (request) => {
    const { path, fields } = request
    if (path === loginPath) return form()
    if (path === sessionPath) return open(request)
    if (path === welcomePath) return { status: 200, body: 'Welcome', fields: [] }
    if (!path.startsWith(membersFolder)) return undefined
    const id = cookieIn(fields, 'sid')
    const left = sessions.get(id) ?? 0
    if (left === 0) return { status: 302, body: '', fields: [`Location: ${loginPath}`] }
    sessions.set(id, left - 1)
    return undefined
  }
}

/** Parses the parameters of an Authorization field. */
function parametersOf(field: string): Map<string, string> {
  const parts = field.matchAll(/([\w*]+)=(?:"([^"]*)"|([^,\s]*))/g)
  return new Map([...parts].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']))
}

function cookieIn(fields: ReadonlyMap<string, string>, name: string): string {
  return new RegExp(`\\b${name}=(\\w+)`).exec(fields.get('cookie') ?? '')?.[1] ?? ''
}

function sha256(text: string): string {
  const running = digester('sha256')
  running.update(Buffer.from(text))
  return running.hex()
}
