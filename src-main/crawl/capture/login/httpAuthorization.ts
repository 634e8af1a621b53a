/** The authorization of one Basic or Digest login: which field a request gets, and what a 401 means for it. It makes no request
 *  itself. Documents may be fetched at the same time, so every answer is judged together with the authorization that its request
 *  had. */
import { message, type Message } from '../../../contract/words/message.ts'
import type { HttpLogin } from '../../../contract/services/login.ts'
import { challengesOf, parametersOf, type Challenge } from '../../../formats/http/challenges.ts'
import { fieldOf, fieldsOf, type HttpHead } from '../../../formats/http/http.ts'
import type { Chance } from '../../../world/world.ts'
import { placeOf } from './areas.ts'
import type { Credentials } from './credentials.ts'
import {
  basicAuthorization,
  digestAuthorization,
  digestChallengeIn,
  isFitForBasic,
  type Credentials as Secret,
  type DigestChallenge,
} from './httpAccess.ts'

/** How the challenge of the server is answered; the count and the client nonce belong to its nonce. */
export type Answering =
  | { kind: 'basic' }
  | { kind: 'digest'; challenge: DigestChallenge; clientNonce: string; count: number }

/** What to do after a 401: send the request again, keep the answer as that of the document, or give the login up. */
export type AfterRefusal = 'again' | 'keep' | { why: Message }

/** The authorization of one login. */
export interface HttpAuthorization {
  /** How requests are authorized now; undefined until the server has sent a challenge. */
  readonly current: Answering | undefined
  /** Whether the server has accepted the name and the password. */
  readonly isProven: boolean
  /** The Authorization field for a request; undefined without `answering`. Counts a use of the server's nonce. */
  fieldFor(url: string, answering: Answering | undefined): string | undefined
  /** Records that a request that was sent with `sent` was accepted. */
  accept(sent: Answering, head: HttpHead): void
  /** Decides what to do after a 401. `sent` is the authorization that the request had. */
  afterRefusal(head: HttpHead, sent: Answering | undefined): Promise<AfterRefusal>
}

/** Parameters of `httpAuthorization`. */
export interface HttpAuthorizationSetting {
  login: Pick<HttpLogin, 'kind' | 'credential'>
  credentials: Pick<Credentials, 'secretOf'>
  chance: Pick<Chance, 'uuid'>
}

/** Creates the authorization of a login, without a challenge and without its password, which is read when it is needed. */
export function httpAuthorization({ login, credentials, chance }: HttpAuthorizationSetting): HttpAuthorization {
  let secret: Secret | undefined
  let current: Answering | undefined
  let isProven = false

  const newDigest = (challenge: DigestChallenge): Answering => ({
    ...{ kind: 'digest', challenge, count: 0 },
    clientNonce: chance.uuid(),
  })

  /** Begins to answer a challenge, after the first 401. */
  async function begin(challenges: Challenge[]): Promise<AfterRefusal> {
    const digest = digestChallengeIn(challenges)
    const isOffered =
      login.kind === 'basic' ? challenges.some(({ scheme }) => scheme === 'basic') : digest !== undefined
    if (!isOffered) return { why: otherSchemes(challenges, login.kind) }
    const found = secret ? { secret } : await credentials.secretOf(login.credential)
    if ('why' in found) return found
    if (login.kind === 'basic' && !isFitForBasic(found.secret)) return { why: message('login.colon') }
    secret = found.secret
    current = login.kind === 'digest' && digest ? newDigest(digest) : { kind: 'basic' }
    return 'again'
  }

  return {
    get current() {
      return current
    },
    get isProven() {
      return isProven
    },
    fieldFor(url, answering) {
      if (!answering || !secret) return undefined
      if (answering.kind === 'basic') return basicAuthorization(secret)
      const { challenge, clientNonce } = answering
      answering.count += 1
      const request = { method: 'GET', target: placeOf(url).path, count: answering.count, clientNonce }
      return digestAuthorization(challenge, secret, request)
    },
    accept(sent, head) {
      isProven = true
      const nextNonce = parametersOf(fieldOf(head, 'authentication-info') ?? '').get('nextnonce')
      // RFC 7616 section 3.5: the nonce that the server wants next.
      if (nextNonce !== undefined && sent.kind === 'digest' && current === sent)
        current = newDigest({ ...sent.challenge, nonce: nextNonce })
    },
    async afterRefusal(head, sent) {
      // Another document has received a newer nonce meanwhile.
      if (sent !== current) return 'again'
      const challenges = challengesOf(fieldsOf(head, 'www-authenticate'))
      if (!sent) return begin(challenges)
      const renewed = renewedBy(challenges, sent, isProven)
      if (renewed) {
        current = newDigest(renewed)
        return 'again'
      }
      // An account that was accepted elsewhere has no access to this document: the 401 is the document's answer.
      return isProven ? 'keep' : { why: message('login.notAccepted') }
    },
  }
}

/** The new challenge if the nonce expired: the server reports it as stale (RFC 7616 section 3.3), or replaces a nonce that it had
 *  accepted. */
function renewedBy(challenges: Challenge[], sent: Answering, isProven: boolean): DigestChallenge | undefined {
  const renewed = sent.kind === 'digest' ? digestChallengeIn(challenges) : undefined
  if (!renewed || sent.kind !== 'digest' || renewed.isStale) return renewed
  return isProven && renewed.nonce !== sent.challenge.nonce && sent.count > 1 ? renewed : undefined
}

function otherSchemes(challenges: Challenge[], kind: HttpLogin['kind']): Message {
  const schemes = [...new Set(challenges.map(({ scheme }) => scheme))].join(', ')
  return schemes === '' ? message('login.noScheme', { kind }) : message('login.wrongScheme', { schemes, kind })
}
