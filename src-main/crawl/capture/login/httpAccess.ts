/** The Authorization field: what is answered to a server that asks for Basic (RFC 7617) or Digest (RFC 7616) access.
 *  Pure; who is asked, and how often, is decided in `httpArea`. Not here: qop auth-int, which covers bodies we do not send,
 *  and -sess with a third party, of which no server was ever seen. */
import { hash } from 'node:crypto'
import type { Challenge } from '../../../formats/http/challenges.ts'

export interface Credentials {
  user: string
  password: string
}

/** RFC 7617 section 2.1: UTF-8 where the server says so; without a word of it browsers send UTF-8 too. */
export function basicAuthorization({ user, password }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}

/** RFC 7617 section 2: a colon in the name could not be told from the one behind it. */
export function isFitForBasic({ user }: Credentials): boolean {
  return !user.includes(':')
}

/** RFC 7616 section 6.1, by its names there; Node's beside them. */
const algorithms = new Map([
  ['MD5', 'md5'],
  ['SHA-256', 'sha256'],
  ['SHA-512-256', 'sha512-256'],
])

export interface DigestChallenge {
  realm: string
  nonce: string
  opaque: string | undefined
  /** As the server wrote it, to be given back; undefined when it said nothing, which means MD5. */
  algorithm: string | undefined
  hash: string
  /** `-sess`: the key is made once for a nonce. */
  isSession: boolean
  /** Undefined: a server of RFC 2069, which knows no counts. */
  qop: 'auth' | undefined
  isStale: boolean
  isUserHashed: boolean
}

/** The first challenge that can be answered: RFC 7616 section 3.7 has the server put the one it prefers first. */
export function digestChallengeIn(challenges: readonly Challenge[]): DigestChallenge | undefined {
  for (const { scheme, parameters } of challenges) {
    if (scheme !== 'digest') continue
    const algorithm = parameters.get('algorithm')
    const [, name = '', session] = /^(.*?)(-sess)?$/i.exec(algorithm ?? 'MD5') ?? []
    const hashName = algorithms.get(name.toUpperCase())
    const nonce = parameters.get('nonce')
    const offered = parameters
      .get('qop')
      ?.toLowerCase()
      .split(/[\s,]+/)
    if (hashName === undefined || nonce === undefined || (offered && !offered.includes('auth'))) continue
    return {
      realm: parameters.get('realm') ?? '',
      nonce,
      opaque: parameters.get('opaque'),
      algorithm,
      hash: hashName,
      isSession: session !== undefined,
      qop: offered ? 'auth' : undefined,
      isStale: parameters.get('stale')?.toLowerCase() === 'true',
      isUserHashed: parameters.get('userhash')?.toLowerCase() === 'true',
    }
  }
  return undefined
}

export interface DigestRequest {
  method: string
  /** Path and query as in the request line. */
  target: string
  /** How often the nonce was used, this time counted. */
  count: number
  /** Ours; for `-sess` the same as long as the nonce is. */
  clientNonce: string
}

/** RFC 7616 section 3.4. */
export function digestAuthorization(
  challenge: DigestChallenge,
  { user, password }: Credentials,
  { method, target, count, clientNonce }: DigestRequest,
): string {
  const { realm, nonce, opaque, qop } = challenge
  const digest = (text: string): string => hash(challenge.hash, text)
  const countText = count.toString(16).padStart(8, '0')
  const key = digest(`${user}:${realm}:${password}`)
  const first = challenge.isSession ? digest(`${key}:${nonce}:${clientNonce}`) : key
  const second = digest(`${method}:${target}`)
  const middle = qop ? `${nonce}:${countText}:${clientNonce}:${qop}` : nonce
  const parts = [
    challenge.isUserHashed ? `username=${quoted(digest(`${user}:${realm}`))}` : userName(user),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(target)}`,
    ...(challenge.algorithm === undefined ? [] : [`algorithm=${challenge.algorithm}`]),
    ...(qop ? [`qop=${qop}`, `nc=${countText}`] : []),
    ...(qop || challenge.isSession ? [`cnonce=${quoted(clientNonce)}`] : []),
    `response=${quoted(digest(`${first}:${middle}:${second}`))}`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(challenge.isUserHashed ? ['userhash=true'] : []),
  ]
  return `Digest ${parts.join(', ')}`
}

/** RFC 7616 section 3.4: what is not ASCII goes as in RFC 8187. */
function userName(user: string): string {
  if (/^[ -~]*$/.test(user)) return `username=${quoted(user)}`
  return `username*=UTF-8''${encodeURIComponent(user).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
