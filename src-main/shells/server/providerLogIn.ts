/**
 * Log-ins through an identity provider, as a browser makes them. The interface begins one (`POST /api/login/provider`), the browser goes to the
 * provider and comes back (`GET /api/login/callback`), and the interface takes the token of the new session (`POST /api/login/token`), which so is
 * in no URL. A cookie, which only these three read, binds all of it to one browser; it begins no session by itself and is worth nothing afterwards.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountsDoor } from '../../app/services/accountsService.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Reply } from '../../contract/calls/service.ts'
import { message } from '../../contract/words/message.ts'
import { textFor } from '../../contract/words/render.ts'
import { callbackTarget, providerTarget, type Refusal } from './gate.ts'
import type { IdentityProvider, StartedLogIn } from './identityProvider.ts'
import { bodyOf, replyOf } from './replies.ts'

/** Time in which a person logs in at the provider. */
const openMsMax = 10 * 60_000
/** Log-ins that are open at once. Where there would be more, the oldest is given up. */
const openMax = 1_000

/** A log-in that has begun in one browser. */
interface OpenLogIn {
  redirectUrl: string
  /** Taken when the browser comes back, so that a URL works once. */
  started: StartedLogIn | undefined
  /** What came of it; undefined while the person is at the provider. */
  outcome: { account: string } | { fault: Fault } | undefined
}

interface Parts {
  provider: IdentityProvider
  logIns: Pick<AccountsDoor, 'logInNamed'>
  log(text: string): void
}

/** Log-ins through a provider at one port. */
export interface ProviderLogIns {
  name: string
  /** Answers one of the three requests. `origin`: the one by which the client reaches the server. */
  answer(given: {
    request: IncomingMessage
    response: ServerResponse
    target: string
    origin: string
    address: string
  }): Promise<ProviderAnswer>
}

/** A reply for the interface, a way for the browser, or a refusal. */
export type ProviderAnswer = { reply: Reply } | { goTo: string } | { refusal: Refusal }

export function providerLogIns({ provider, logIns, log }: Parts): ProviderLogIns {
  /** By the digest of the cookie. */
  const open = new Map<string, OpenLogIn>()

  async function begin(response: ServerResponse, origin: string): Promise<Reply> {
    const redirectUrl = `${origin}${callbackTarget}`
    const started = await provider.start(redirectUrl)
    const cookie = randomBytes(32).toString('base64url')
    const key = digestOf(cookie)
    open.set(key, { redirectUrl, started, outcome: undefined })
    setTimeout(() => open.delete(key), openMsMax).unref()
    const [oldest] = open.keys()
    if (open.size > openMax && oldest !== undefined) open.delete(oldest)
    setCookie(response, origin, { value: cookie, seconds: openMsMax / 1_000 })
    return { value: { url: started.url } }
  }

  async function comeBack(request: IncomingMessage, target: string, origin: string): Promise<ProviderAnswer> {
    const found = open.get(digestOf(cookieIn(request, origin)))
    const started = found?.started
    const url = new URL(`${found?.redirectUrl ?? origin}${/\?.*$/s.exec(target)?.[0] ?? ''}`)
    // A URL with another state was made elsewhere: it does not end the log-in that is open here.
    if (!found || !started || url.searchParams.get('state') !== started.state)
      return { refusal: { status: 403, why: textFor('gate.notBegun', { minutes: openMsMax / 60_000 }) } }
    found.started = undefined
    try {
      found.outcome = { account: await provider.finish(url, started) }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      found.outcome = { fault: error }
    }
    return { goTo: '/#provider' }
  }

  function take(given: { request: IncomingMessage; response: ServerResponse; origin: string; address: string }): Reply {
    const { request, response, origin, address } = given
    const key = digestOf(cookieIn(request, origin))
    const outcome = open.get(key)?.outcome
    if (!outcome) throw new Fault('notAllowed', message('logIn.notBegun', { minutes: openMsMax / 60_000 }))
    open.delete(key)
    setCookie(response, origin, { value: '', seconds: 0 })
    if ('fault' in outcome) throw outcome.fault
    const client = request.headers['user-agent'] ?? ''
    return { value: { token: logIns.logInNamed({ name: outcome.account, address, client }) } }
  }

  return {
    name: provider.name,
    async answer({ request, response, target, origin, address }) {
      if (request.method === 'GET') return comeBack(request, target, origin)
      const body = await bodyOf(request)
      if ('fault' in body) return { reply: body }
      try {
        if (target === providerTarget) return { reply: await begin(response, origin) }
        return { reply: take({ request, response, origin, address }) }
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        log(textFor('logIn.refused', { address, problem: error.message }))
        return { reply: replyOf(error) }
      }
    },
  }
}

function digestOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex')
}

/** Over TLS the prefix keeps other hosts of the domain from setting it (RFC 6265bis, 4.1.3.2). */
function cookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Host-loupe-login' : 'loupe-login'
}

function setCookie(
  response: ServerResponse,
  origin: string,
  { value, seconds }: { value: string; seconds: number },
): void {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  // Lax, because the browser comes back from another site.
  response.setHeader(
    'set-cookie',
    `${cookieName(origin)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`,
  )
}

function cookieIn({ headers: { cookie = '' } }: IncomingMessage, origin: string): string {
  const prefix = `${cookieName(origin)}=`
  return (
    cookie
      .split('; ')
      .find((each) => each.startsWith(prefix))
      ?.slice(prefix.length) ?? ''
  )
}
