/** Logging in to a server with accounts, before there is a token. */
import { z } from 'zod'
import { opened } from '../../src-main/contract/calls/service.ts'
import { logInOffer, type LogInOffer } from '../../src-main/contract/services/accounts.ts'
import { reach, replyIn } from './http.ts'
import { authorizationOf } from './token.ts'

/** Log-ins at an origin. */
export interface LogIns {
  /** How accounts log in here. Null where the server has no log-in, or cannot be reached. */
  offer(): Promise<LogInOffer | null>
  /** Resolves with the token of a session. Rejects with `Fault`. */
  logIn(given: { name: string; password: string }): Promise<string>
  /** Resolves with the URL at which this browser logs in with the provider. Rejects with `Fault`, for example where the provider does not answer. */
  beginWithProvider(): Promise<string>
  /** Resolves with the token of a session, after this browser came back from the provider. Rejects with `Fault`. */
  finishWithProvider(): Promise<string>
  /** Ends the session of a token. */
  logOut(token: string): Promise<void>
}

export function logInsAt(origin: string, fetch = globalThis.fetch): LogIns {
  const address = `${origin}/api/login`
  const json = { 'content-type': 'application/json' }

  async function answered(request: RequestInit, below = ''): Promise<unknown> {
    const response = await reach('login', () => fetch(`${address}${below}`, request))
    return opened(replyIn(await response.text(), response.status))
  }

  return {
    offer: () =>
      answered({ method: 'GET' }).then(
        (offer) => logInOffer.parse(offer),
        () => null,
      ),
    async logIn(input) {
      const answer = await answered({ method: 'POST', headers: json, body: JSON.stringify({ input }) })
      return z.object({ token: z.string() }).parse(answer).token
    },
    async beginWithProvider() {
      const answer = await answered({ method: 'POST', headers: json, body: '{}' }, '/provider')
      return z.object({ url: z.url() }).parse(answer).url
    },
    async finishWithProvider() {
      const answer = await answered({ method: 'POST', headers: json, body: '{}' }, '/token')
      return z.object({ token: z.string() }).parse(answer).token
    },
    async logOut(token) {
      await answered({ method: 'DELETE', headers: authorizationOf(token) })
    },
  }
}
