/** One request of a browser on its way: through the chain of resolvers and back over what it came by, HTTP/1.1 or HTTP/2.
 *  Whatever happens, it is answered or what carries it is broken off: no browser waits for ever. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { proxyCredentialsOf, type ProxyCredentials } from '../model/proxyCredentials.ts'
import type { ReplyChannel } from './replyChannel.ts'
import { contentReader } from './requestContent.ts'
import { plainReply, type Reply, type Resolver } from '../model/reply.ts'
import { sendReply } from './send.ts'

export interface Exchange {
  method: string
  /** The absolute address, or what is said where there is none that could be asked for. */
  asked: { url: string } | { refusal: Reply }
  fields: IncomingHttpHeaders
  /** Of the CONNECT that opened the tunnel through which it comes: what comes through it says no more about who asks. */
  tunnel: { credentials: ProxyCredentials | undefined } | undefined
  /** What comes with the request. */
  incoming: Readable
  channel: ReplyChannel
}

export interface Answering {
  /** What it throws is answered 500, and a stream that fails breaks the answer off; `onProblem` hears of both. */
  resolve: Resolver
  onProblem: (error: unknown, url: string) => void
}

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
    // A short body must not look whole.
    if (channel.headSent()) return channel.breakOff()
    await sendReply(plainReply(500, 'Loupe could not answer; its log says why.'), channel)
  } finally {
    isAnswered = true
    // What nobody read flows away, so that the next request can come.
    incoming.resume()
  }
}

function requestOf({ method, fields, tunnel, incoming }: Exchange, url: string, gone: AbortController) {
  // For this proxy alone: no page and no archive is to see it (RFC 9110 11.7.2).
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

/** RFC 3986 knows nothing but ASCII. Whoever sends more means these bytes, and Node reads each as one character. */
function inAscii(url: string): string {
  return url.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
