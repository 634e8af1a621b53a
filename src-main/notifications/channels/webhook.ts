/** A webhook: each notification is posted as JSON to a URL that the user has set. */
import { messageOf } from '../../contract/text/messageOf.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { Clock } from '../../world/world.ts'
import type { Channel, SendResult } from '../model/channel.ts'

/** Time for the whole request. */
const requestMsMax = 30_000

interface WebhookSetting {
  clock: Clock
  /** '': there is none. */
  url: () => string
}

export function webhookChannel({ clock, url }: WebhookSetting): Channel {
  return {
    async send({ message: text, ...notification }, _recipient, signal) {
      const to = url()
      if (to === '') return { isSent: false, why: message('notification.webhook.unset'), isLasting: true }
      const over = new AbortController()
      const limit = new AbortController()
      void sleepUnlessAborted(clock, requestMsMax, over.signal).then(() => limit.abort())
      try {
        const response = await fetch(to, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': String(notification.id) },
          body: JSON.stringify({ ...notification, text: textOf(text) }),
          signal: AbortSignal.any([signal, limit.signal]),
        })
        await response.body?.cancel()
        return answered(response.status)
      } catch (error) {
        // fetch puts the fault of the network into the cause.
        const problem = messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error)
        return { isSent: false, why: message('notification.webhook.unreachable', { problem }), isLasting: false }
      } finally {
        over.abort()
      }
    },
  }
}

/** 408 and 429 ask for another attempt; other replies from 400 to 499 would be the same again (RFC 9110 section 15.5). */
function answered(status: number): SendResult {
  if (status < 300) return { isSent: true, answer: String(status) }
  const isLasting = status < 500 && status !== 408 && status !== 429
  return { isSent: false, why: message('notification.webhook.status', { status }), isLasting }
}
