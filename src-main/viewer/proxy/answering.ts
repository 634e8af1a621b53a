/** Handles one request of a browser over HTTP/1.1 or HTTP/2: resolves it and sends the reply. Every request is answered or its
 *  channel is broken off, so no browser waits forever. */
import { message } from '../../contract/words/message.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { proxyCredentialsOf, type ProxyCredentials } from '../model/proxyCredentials.ts'
import type { ReplyChannel } from './replyChannel.ts'
import { contentReader } from './requestContent.ts'
import { plainReply, type Reply, type Resolver } from '../model/reply.ts'
import { sendReply } from './send.ts'

/** A request and the channel for its reply. */
export interface Exchange {
  method: string
  /** The absolute URL, or the reply to a request that has no valid one. */
  asked: { url: string } | { refusal: Reply }
  fields: IncomingHttpHeaders
  /** Credentials of the CONNECT request. Requests inside a tunnel carry none of their own. */
  tunnel: { credentials: ProxyCredentials | undefined } | undefined
  /** The request content. */
  incoming: Readable
  channel: ReplyChannel
}

/** What the proxy needs from the engine. */
export interface Answering {
  /** If it throws, the reply is a 500. If a stream fails, the reply is broken off. `onProblem` gets both errors. */
  resolve: Resolver
  onProblem: (error: unknown, url: string) => void
}

/** Answers one request. Never rejects because of the browser. */
export async function answer(exchange: Exchange, { resolve, onProblem }: Answering): Promise<void> {
  const { asked, channel, incoming } = exchange
  const gone = new AbortController()
  let isAnswered = false
  channel.content.on('close', () => {
    if (!isAnswered) gone.abort(new Error('the browser went away'))
  })
  if (channel.isOver()) return
  try {
    const reply = 'refusal' in asked ? asked.refusal : await resolve(requestOf(exchange, inAscii(asked.url), gone))
    await sendReply(reply, channel)
  } catch (error) {
    if (gone.signal.aborted || channel.isOver()) return
    onProblem(error, 'url' in asked ? asked.url : '')
    // An incomplete body must not look complete.
    if (channel.headSent()) return channel.breakOff()
    await sendReply(plainReply(500, message('viewer.failed')), channel)
  } finally {
    isAnswered = true
    // Discards unread request content, so that the next request can follow.
    incoming.resume()
  }
}

function requestOf({ method, fields, tunnel, incoming }: Exchange, url: string, gone: AbortController) {
  // The credentials are for this proxy only (RFC 9110 11.7.2).
  const { 'proxy-authorization': authorization, ...others } = fields
  return {
    method,
    url,
    fields: others,
    credentials: tunnel ? tunnel.credentials : proxyCredentialsOf(authorization),
    content: contentReader(incoming, fields['content-length']),
    signal: gone.signal,
  }
}

/** Percent-encodes bytes that are not ASCII, which URLs must not contain (RFC 3986). Node passes each as one character. */
function inAscii(url: string): string {
  return url.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
