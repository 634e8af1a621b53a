/** Log-ins of accounts over HTTP: `POST` with name and password gives the token of a session, `DELETE` ends the session of the token that the request
 *  carries, `GET` says how accounts log in. Where a server in front logs them in, only `GET` is answered. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountsDoor } from '../../app/services/accountsService.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { logInRequest, type LogInOffer } from '../../contract/services/accounts.ts'
import { message } from '../../contract/words/message.ts'
import { textFor } from '../../contract/words/render.ts'
import type { Admitted } from './admission.ts'
import { tokenOf } from './gate.ts'
import { bodyOf, replyOf, sendReply } from './replies.ts'

interface LogInParts extends Pick<Admitted, 'addressOf' | 'namedBy' | 'provider'> {
  logIns: AccountsDoor
  log(text: string): void
}

/** Says how accounts log in, or logs one in or out. */
export async function answerLogIn(
  { logIns, addressOf, namedBy, provider, log }: LogInParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    const account = namedBy?.(request) ?? null
    const offer: LogInOffer = { isAny: logIns.isAny(), account, provider: provider?.name ?? null }
    return sendReply(response, { value: offer })
  }
  if (namedBy) return sendReply(response, replyOf(new Fault('refused', message('logIn.elsewhere'))))
  if (request.method === 'DELETE') {
    logIns.logOut(tokenOf(request.headers))
    return sendReply(response, { value: {} })
  }
  const body = await bodyOf(request)
  if ('fault' in body) return sendReply(response, body)
  const given = logInRequest.safeParse(body.value)
  if (!given.success) return sendReply(response, replyOf(new Fault('badInput', message('logIn.wrong'))))
  const address = addressOf(request)
  try {
    const token = await logIns.logIn({ ...given.data, address, client: request.headers['user-agent'] ?? '' })
    sendReply(response, { value: { token } })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    log(textFor('logIn.refused', { address, problem: error.message }))
    sendReply(response, replyOf(error))
  }
}
