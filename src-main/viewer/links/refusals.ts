/** Refuses requests that no archive can answer: service workers, WebSockets, invalid Accept-Datetime fields. Pages cope with
 *  the refusal. */
import { message, type Message } from '../../contract/words/message.ts'
import { refusalOfAcceptDatetime } from '../replay/acceptDatetime.ts'
import type { Link } from '../viewings/question.ts'
import { plainReply, type Reply } from '../model/reply.ts'

export const refusals: Link = {
  name: 'refusals',
  whyPassed: () => message('viewer.step.refusals'),
  async answer({ fields }) {
    // A service worker would intercept all later requests to its site.
    if (fields['service-worker'] === 'script') return refused(message('viewer.refused.serviceWorker'))
    if (/\bwebsocket\b/i.test(fields.upgrade ?? '')) return refused(message('viewer.refused.webSocket'))
    return refusalOfAcceptDatetime(fields)
  },
}

function refused(why: Message): Reply {
  return plainReply(404, why, [['X-Loupe', 'refused']])
}
