/** The Authorization field that answers a challenge for Basic (RFC 7617) or Digest (RFC 7616) access. Pure;
 *  `httpAuthorization.ts` decides when and how often it is sent. Not supported: qop auth-int, which covers request bodies that
 *  are not sent here, and -sess with a third party. */
import { hash } from 'node:crypto'
import type { Challenge } from '../../../formats/http/challenges.ts'

/** Account name and password. */
export interface Credentials {
  user: string
  password: string
}

/** The field for Basic access, in UTF-8: servers can ask for it (RFC 7617 section 2.1), and browsers use it by default. */
export function basicAuthorization({ user, password }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}

/** Whether the account name can be sent: a colon in it would be taken for the separator (RFC 7617 section 2). */
export function isFitForBasic({ user }: Credentials): boolean {
  return !user.includes(':')
}

/** Algorithm names of RFC 7616 section 6.1 → names of Node's hash functions. */
const algorithms = new Map([
  ['MD5', 'md5'],
  ['SHA-256', 'sha256'],
  ['SHA-512-256', 'sha512-256'],
])

/** A Digest challenge that can be answered (RFC 7616 section 3.3). */
export interface DigestChallenge {
  realm: string
  nonce: string
  opaque: string | undefined
  /** As the server wrote it, to be sent back; undefined if the server sent none, which means MD5. */
  algorithm: string | undefined
  hash: string
  /** Whether the algorithm ends in `-sess`: the key is then computed once per nonce. */
  isSession: boolean
  /** Undefined for a server that follows RFC 2069, which has no nonce count. */
  qop: 'auth' | undefined
  isStale: boolean
  isUserHashed: boolean
}

/** The first challenge that can be answered: servers list the one that they prefer first (RFC 7616 section 3.7). */
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

/** The request that is to be authorized. */
export interface DigestRequest {
  method: string
  /** Path and query as in the request line. */
  target: string
  /** How often the nonce has been used, including this request. */
  count: number
  /** The client's nonce; with `-sess`, unchanged as long as the server's nonce is. */
  clientNonce: string
}

/** The field for Digest access (RFC 7616 section 3.4). */
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

/** The user name parameter; a name that is not ASCII is encoded as in RFC 8187 (RFC 7616 section 3.4). */
function userName(user: string): string {
  if (/^[ -~]*$/.test(user)) return `username=${quoted(user)}`
  return `username*=UTF-8''${encodeURIComponent(user).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
