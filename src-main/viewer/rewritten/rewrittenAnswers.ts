/** Answers requests of a service worker (wabac.js) that rewrites archived pages for a browser without the proxy. The chain that answers the proxy
 *  answers here too, so both replay the same captures and miss the same URLs. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { message } from '../../contract/words/message.ts'
import { commandOf } from '../model/commandHost.ts'
import { htmlPage, plainReply, textReply, type Reply } from '../model/reply.ts'
import { answer, type Answering } from '../proxy/answering.ts'
import { connectionChannel } from '../proxy/replyChannel.ts'
import { replyForWorker } from './replyForWorker.ts'

/** Answers a request of the worker for an archived URL. Never rejects because of the browser. */
export type AnswerRewritten = (request: IncomingMessage, response: ServerResponse, url: string) => Promise<void>

/** Makes the function that answers. `resolve` answers as the proxy does, in the viewing that is replayed. */
export function rewrittenAnswers({ resolve, onProblem }: Answering): AnswerRewritten {
  return (incoming, response, url) =>
    answer(
      {
        method: incoming.method ?? 'GET',
        asked: isArchived(url) ? { url } : { refusal: plainReply(404, message('viewer.url.invalid')) },
        fields: fieldsOfPage(incoming.headers),
        tunnel: { credentials: undefined },
        incoming,
        channel: connectionChannel(response),
      },
      { resolve: async (request) => replyForWorker(withoutLinks(await resolve(request), url), url), onProblem },
    )
}

/** Commands read files and records and belong to the proxy. All archived pages have one origin here, and could read their replies. */
function isArchived(url: string): boolean {
  return /^https?:\/\/[^/]/i.test(url) && URL.canParse(url) && commandOf(url) === undefined
}

/** Fields that the browser adds to requests of the worker, and that describe its own origin instead of the archived page: its cookies, and what the
 *  worker itself is. */
const fieldsOfWorker =
  /^(?:cookie|host|origin|referer|proxy-authorization|service-worker|sec-(?:fetch|ch)-.*|x-proxy-.*)$/

/** The fields that the archived page would have sent. The worker names the page in `X-Proxy-Referer`, because no script may set Referer. It parses
 *  text, so content is decoded for it. */
function fieldsOfPage(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const sent = Object.entries(headers).filter(([name]) => !fieldsOfWorker.test(name))
  const { 'x-proxy-referer': referer } = headers
  const page = typeof referer === 'string' ? { referer } : {}
  return { ...Object.fromEntries(sent), ...page, 'accept-encoding': 'identity' }
}

/** Replaces the page about a missing URL by one without links: they lead to commands. */
function withoutLinks(reply: Reply, url: string): Reply {
  if (!reply.missing) return reply
  const text = htmlPage({ title: message('viewer.missing.title'), text: [message('viewer.missing.rewritten')], url })
  return {
    ...textReply({ status: 404, text, mediaType: 'text/html', fields: [['X-Loupe', 'not-in-archive']] }),
    missing: true,
  }
}
