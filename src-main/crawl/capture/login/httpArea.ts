/** An area whose server requests authentication itself (401): the challenge is answered while fetching the document that met
 *  it, so no document has to wait for a login, and the final answer is recorded. A password is tried once: until it has been
 *  accepted, only one document at a time may use it, since servers lock accounts after failed attempts. */
import { message } from '../../../contract/words/message.ts'
import type { Log } from '../../model/jobLog.ts'
import { challengesOf, parametersOf, type Challenge } from '../../../formats/http/challenges.ts'
import { fieldOf, fieldsOf, type HttpHead } from '../../../formats/http/http.ts'
import type { HttpLogin } from '../../../contract/services/login.ts'
import type { Chance } from '../../../world/world.ts'
import type { Answered, Asking, Failed, HttpOutcome } from '../fetch/fetch.ts'
import type { Credentials } from './credentials.ts'
import {
  basicAuthorization,
  digestAuthorization,
  digestChallengeIn,
  isFitForBasic,
  type Credentials as Secret,
  type DigestChallenge,
} from './httpAccess.ts'
import { requestsPerDocumentMax } from './limits.ts'
import { placeOf } from './areas.ts'

/** Documents that one login gives access to. */
export interface Area {
  /** Fetches a document through the login. `send` makes one request for it, with the given options. */
  fetch(document: { id: number; url: string }, send: Send): Promise<HttpOutcome | LoginFailed>
}

/** Requests the document once. */
export type Send = (asking: Asking) => Promise<HttpOutcome>

/** The login failed, so the document cannot be fetched; `detail` explains to the user why. */
export interface LoginFailed {
  kind: 'loginFailed'
  detail: string
}

/** Settings that every kind of area needs. */
export interface AreaSetting {
  credentials: Pick<Credentials, 'secretOf'>
  chance: Chance
  log: Log
  /** Adds a login to the history. */
  note(login: { address: string; result: LoginResult; why?: string; when?: LoginTime }): void
}

/** When a login began, and how long it took. */
export interface LoginTime {
  startMs: number
  durationMs: number
}

/** Result of a login, as recorded in the history. */
export type LoginResult = 'loggedIn' | 'loginFailed' | 'loginUnavailable'

/** How the challenge of the server is answered; the count and the client nonce belong to its nonce. */
type Answering = { kind: 'basic' } | { kind: 'digest'; challenge: DigestChallenge; clientNonce: string; count: number }

/** Creates the area of a Basic or Digest login. */
export function httpArea(login: HttpLogin, { credentials, chance, log, note }: AreaSetting): Area {
  const address = login.urls[0] ?? ''
  let secret: Secret | undefined
  let answering: Answering | undefined
  let isProven = false
  let failure: string | undefined
  let trial: Promise<unknown> | undefined

  function fail(why: string): void {
    if (failure !== undefined) return
    failure = why
    log('error', message('jobLog.login.failed', { url: login.urls[0] ?? '', why }))
    note({ address, result: 'loginFailed', why })
  }

  function authorization(url: string, sent: Answering | undefined): string | undefined {
    if (!sent || !secret) return undefined
    if (sent.kind === 'basic') return basicAuthorization(secret)
    const { challenge, clientNonce } = sent
    sent.count += 1
    return digestAuthorization(challenge, secret, {
      method: 'GET',
      target: placeOf(url).path,
      count: sent.count,
      clientNonce,
    })
  }

  async function attempt(url: string, send: Send): Promise<HttpOutcome | LoginFailed> {
    for (let requests = 1; ; requests++) {
      const sent = answering
      const field = authorization(url, sent)
      const outcome = await send({
        isSecret: field !== undefined && !login.untrusted,
        ...(field === undefined ? {} : { fields: [['Authorization', field] as const] }),
      })
      if (outcome.kind === 'failed') return outcome
      if (outcome.head.status !== 401) {
        // An overloaded or failing server has not decided whether the login is accepted.
        if (sent && outcome.head.status < 500 && outcome.head.status !== 429) accepted(sent, outcome.head)
        return outcome
      }
      const next = await afterRefusal(outcome, sent)
      if (next === 'keep' || (next === 'again' && requests >= requestsPerDocumentMax)) return outcome
      await outcome.response.discard()
      if (next !== 'again') {
        fail(next.why)
        return { kind: 'loginFailed', detail: next.why }
      }
    }
  }

  function accepted(sent: Answering, head: HttpHead): void {
    if (!isProven) {
      log('info', message('jobLog.login.in', { url: login.urls[0] ?? '' }))
      note({ address, result: 'loggedIn' })
    }
    isProven = true
    const nextNonce = parametersOf(fieldOf(head, 'authentication-info') ?? '').get('nextnonce')
    // RFC 7616 section 3.5: the nonce that the server wants next.
    if (nextNonce !== undefined && sent.kind === 'digest' && answering === sent)
      answering = newDigest({ ...sent.challenge, nonce: nextNonce })
  }

  /** Decides what to do after a 401: send again, keep the answer, or give up. `sent` is the authorization that was sent. */
  async function afterRefusal(
    { head }: Answered,
    sent: Answering | undefined,
  ): Promise<'again' | 'keep' | { why: string }> {
    const challenges = challengesOf(fieldsOf(head, 'www-authenticate'))
    // Another document has received a newer nonce meanwhile.
    if (sent !== answering) return 'again'
    if (sent) {
      const renewed = renewedBy(challenges, sent)
      if (renewed) {
        answering = newDigest(renewed)
        return 'again'
      }
      // An account that was accepted elsewhere has no access to this document: the 401 is the document's answer.
      return isProven ? 'keep' : { why: 'the server does not accept this name and password' }
    }
    const asked = answeringOf(challenges)
    if (!asked) return { why: `the server asks for ${schemesOf(challenges)}, not for ${login.kind}` }
    const found = secret ? { secret } : await credentials.secretOf(login.credential)
    if ('why' in found) return found
    if (asked.kind === 'basic' && !isFitForBasic(found.secret)) return { why: 'a name with a colon cannot be sent' }
    secret = found.secret
    answering = asked
    return 'again'
  }

  /** The new challenge if the nonce expired: the server reports it as stale, or replaces a nonce that it had accepted. */
  function renewedBy(challenges: Challenge[], sent: Answering): DigestChallenge | undefined {
    const renewed = sent.kind === 'digest' ? digestChallengeIn(challenges) : undefined
    if (!renewed || sent.kind !== 'digest' || renewed.isStale) return renewed
    return isProven && renewed.nonce !== sent.challenge.nonce && sent.count > 1 ? renewed : undefined
  }

  function answeringOf(challenges: Challenge[]): Answering | undefined {
    if (login.kind === 'basic')
      return challenges.some(({ scheme }) => scheme === 'basic') ? { kind: 'basic' } : undefined
    const challenge = digestChallengeIn(challenges)
    return challenge && newDigest(challenge)
  }

  function newDigest(challenge: DigestChallenge): Answering {
    return { kind: 'digest', challenge, clientNonce: chance.uuid(), count: 0 }
  }

  return {
    async fetch({ url }, send) {
      while (trial && !isProven && failure === undefined) await trial
      if (failure !== undefined) return { kind: 'loginFailed', detail: failure }
      if (isProven) return attempt(url, send)
      const own = attempt(url, send)
      const ended = own.then(
        () => undefined,
        () => undefined, // the caller handles the rejection
      )
      trial = ended
      try {
        return await own
      } finally {
        if (trial === ended) trial = undefined
      }
    },
  }
}

/** Converts a failed login to the outcome of a fetch. */
export function failedOf(outcome: LoginFailed, startedMs: number): Failed {
  return { kind: 'failed', reason: 'loginFailed', detail: outcome.detail, startedMs, durationMs: 0 }
}

function schemesOf(challenges: Challenge[]): string {
  return [...new Set(challenges.map(({ scheme }) => scheme))].join(', ') || 'nothing'
}
