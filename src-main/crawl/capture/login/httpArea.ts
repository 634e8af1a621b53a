/** An area whose server requests authentication itself (401): the challenge is answered while fetching the document that met
 *  it, so no document has to wait for a login, and the final answer is recorded. A password is tried once: until it has been
 *  accepted, only one document at a time may use it, since servers lock accounts after failed attempts. */
import { message, type Message } from '../../../contract/words/message.ts'
import type { HttpLogin } from '../../../contract/services/login.ts'
import type { HttpOutcome } from '../fetch/outcome.ts'
import { httpAuthorization } from './httpAuthorization.ts'
import { requestsPerDocumentMax } from './limits.ts'
import type { Area, AreaSetting, LoginFailed, Send } from './loginArea.ts'

/** Creates the area of a Basic or Digest login. */
export function httpArea(login: HttpLogin, { credentials, chance, log, note }: AreaSetting): Area {
  const address = login.urls[0] ?? ''
  const authorization = httpAuthorization({ login, credentials, chance })
  let failure: Message | undefined
  /** The document that tries the password. */
  let trial: Promise<unknown> | undefined

  function fail(why: Message): LoginFailed {
    if (failure === undefined) {
      failure = why
      log('error', message('jobLog.login.failed', { url: address, why }))
      note({ address, result: 'loginFailed', why })
    }
    return { kind: 'loginFailed', detail: why }
  }

  function onAccepted(): void {
    log('info', message('jobLog.login.in', { url: address }))
    note({ address, result: 'loggedIn' })
  }

  async function attempt(url: string, send: Send): Promise<HttpOutcome | LoginFailed> {
    for (let requests = 1; ; requests++) {
      const sent = authorization.current
      const outcome = await sendWith(authorization.fieldFor(url, sent), send, login)
      if (outcome.kind === 'failed') return outcome
      if (outcome.head.status !== 401) {
        if (sent && isDecision(outcome.head.status)) {
          if (!authorization.isProven) onAccepted()
          authorization.accept(sent, outcome.head)
        }
        return outcome
      }
      const next = await authorization.afterRefusal(outcome.head, sent)
      if (next === 'keep' || (next === 'again' && requests >= requestsPerDocumentMax)) return outcome
      await outcome.response.discard()
      if (next !== 'again') return fail(next.why)
    }
  }

  return {
    async fetch({ url }, send) {
      while (trial && !authorization.isProven && failure === undefined) await trial
      if (failure !== undefined) return { kind: 'loginFailed', detail: failure }
      if (authorization.isProven) return attempt(url, send)
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

function sendWith(field: string | undefined, send: Send, { untrusted }: HttpLogin): Promise<HttpOutcome> {
  return send({
    isSecret: field !== undefined && !untrusted,
    ...(field === undefined ? {} : { fields: [['Authorization', field] as const] }),
  })
}

/** Whether the answer shows that the login was accepted. An overloaded or failing server has not decided. */
function isDecision(status: number): boolean {
  return status < 500 && status !== 429
}
