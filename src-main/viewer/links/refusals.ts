/** What was never captured, and what no archive can answer: refused cleanly, and a page does without. */
import { refusalOfAcceptDatetime } from '../replay/acceptDatetime.ts'
import type { Link } from '../viewings/question.ts'
import { plainReply, type Reply } from '../model/reply.ts'

export const refusals: Link = {
  name: 'refusals',
  whyPassed: () => 'It is neither a service worker nor a WebSocket, and asks for no moment that cannot be read.',
  async answer({ fields }) {
    // A script that answers for the archive would stand between it and every later page of its site.
    if (fields['service-worker'] === 'script') return refused('Service workers are not replayed.')
    if (/\bwebsocket\b/i.test(fields.upgrade ?? '')) return refused('WebSockets are not replayed.')
    return refusalOfAcceptDatetime(fields)
  },
}

function refused(sentence: string): Reply {
  return plainReply(404, sentence, [['X-Loupe', 'refused']])
}
