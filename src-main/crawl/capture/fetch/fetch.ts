/** One request and its answer over HTTP/1.1, with every byte kept as sent and received. The answer is parsed by
 *  `formats/http`, because the usual clients refuse, or silently repair, what some servers send. */
import { message } from '../../../contract/words/message.ts'
import type { Detail } from '../../model/detail.ts'
import type { Reason } from '../../../contract/states/outcomes.ts'
import { stopwatch } from '../../../world/stopwatch.ts'
import { networkMessage } from './networkMessage.ts'
import { NetworkFault } from '../../../world/world.ts'
import { exchange, reasonOf } from './exchange.ts'
import type { Requesting } from './fetching.ts'
import type { Failed, HttpOutcome } from './outcome.ts'
import { requestFor, type RequestOptions } from './request.ts'
import { targetOf } from './target.ts'

/** Sends one request and receives the answer. Faults of the server or the network are returned as `Failed`; rejects with
 *  `DiskFault` if the body cannot be written. */
export async function fetchDocument(
  url: string,
  referrer: string | undefined,
  fetching: Requesting,
  options: RequestOptions = {},
): Promise<HttpOutcome> {
  const { world } = fetching
  const { method = 'GET' } = options
  const startedMs = world.clock.now()
  const durationMs = stopwatch(world.clock)
  const failed = (reason: Reason, detail: Detail): Failed => ({
    kind: 'failed',
    reason,
    detail,
    startedMs,
    durationMs: durationMs(),
  })
  const target = targetOf(url, fetching)
  if (!target) return failed('badAddress', message('capture.badScheme'))
  const request = requestFor(new URL(url), { referrer, userAgent: fetching.userAgent, options })
  // RFC 9110 section 9.2.2: a POST must not be repeated automatically, so it gets no connection that may be closed already.
  for (let fresh = method !== 'GET'; ; fresh = true) {
    let lease
    try {
      lease = await fetching.connections.lease(target, fresh, fetching.signal)
    } catch (error) {
      if (!(error instanceof NetworkFault)) throw error
      return failed(reasonOf[error.code], networkMessage(error))
    }
    const { security } = lease.connection
    if (options.isSecret && security?.trusted === false) {
      lease.connection.close()
      return failed('tlsFailed', message('capture.untrusted', { problem: security.problem ?? '' }))
    }
    const exchanged = await exchange({ url, method, bytes: request }, target, lease.connection, fetching)
    // A server may close an idle connection at the moment we use it (RFC 9112 section 9.3.1): retry once on a new connection.
    if (exchanged.kind === 'nothing' && exchanged.isUnseen && lease.reused) continue
    if (exchanged.kind === 'nothing') return failed(exchanged.reason, exchanged.detail)
    return { ...exchanged, kind: 'answered', request, startedMs, durationMs: durationMs() }
  }
}
