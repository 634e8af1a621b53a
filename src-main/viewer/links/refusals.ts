/** Refuses requests that no archive can answer: service workers, WebSockets, invalid Accept-Datetime fields. Pages cope with
 *  the refusal. */
import { refusalOfAcceptDatetime } from '../replay/acceptDatetime.ts'
import type { Link } from '../viewings/question.ts'
import { plainReply, type Reply } from '../model/reply.ts'

export const refusals: Link = {
  name: 'refusals',
  whyPassed: () => 'Not a service worker, not a WebSocket, and no invalid Accept-Datetime.',
  async answer({ fields }) {
    // A service worker would intercept all later requests to its site.
    if (fields['service-worker'] === 'script') return refused('Service workers are not replayed.')
    if (/\bwebsocket\b/i.test(fields.upgrade ?? '')) return refused('WebSockets are not replayed.')
    return refusalOfAcceptDatetime(fields)
  },
}

function refused(sentence: string): Reply {
  return plainReply(404, sentence, [['X-Loupe', 'refused']])
}
