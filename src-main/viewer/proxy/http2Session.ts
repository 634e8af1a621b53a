/** An HTTP/2 connection inside a tunnel (RFC 9113). Each stream becomes the same kind of exchange as an HTTP/1.1 request.
 *  Limits are set here; flow control is Node's. */
import { message } from '../../contract/words/message.ts'
import {
  constants,
  performServerHandshake,
  type IncomingHttpHeaders as StreamFields,
  type ServerHttp2Stream,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Exchange } from './answering.ts'
import {
  idleMsMax,
  invalidFramesMax,
  refusedStreamsMax,
  requestFieldsMax,
  requestHeadBytesMax,
  sessionMegabytesMax,
  settingsMax,
  streamResetsMax,
  streamsMax,
  waitingPingsMax,
} from '../model/limits.ts'
import { streamChannel } from './replyChannel.ts'
import { plainReply } from '../model/reply.ts'
import { authorityOf, type Tunnel } from './tunnels.ts'

/** Limits of a session. `enableConnectProtocol` is off, so a WebSocket has to be requested over HTTP/1.1, where it
 *  is refused (RFC 8441 3). */
const bounds = {
  settings: { maxConcurrentStreams: streamsMax, maxHeaderListSize: requestHeadBytesMax, enablePush: false },
  maxSettings: settingsMax,
  maxSessionMemory: sessionMegabytesMax,
  maxHeaderListPairs: requestFieldsMax,
  maxOutstandingPings: waitingPingsMax,
  maxSessionInvalidFrames: invalidFramesMax,
  maxSessionRejectedStreams: refusedStreamsMax,
  // Archived responses repeat fields that may occur only once. Browsers cope with it.
  strictSingleValueFields: false,
}

/** Starts an HTTP/2 session on a socket whose TLS handshake is done. Destroying the socket ends the session. */
export function speakHttp2(socket: TLSSocket, tunnel: Tunnel, onExchange: (exchange: Exchange) => void): void {
  const session = performServerHandshake(socket, bounds)
  // A session waits for this event, which only sockets of `tls.connect` and of TLS servers emit.
  socket.emit('secureConnect')
  const covered = coveredAuthorities(socket, tunnel)
  let resets = 0
  // A destroyed session waits until its socket has sent what was written, which may never happen.
  const breakOff = () => {
    session.destroy()
    socket.destroy()
  }
  const streams = new Set<ServerHttp2Stream>()
  // The session's own timeout is not used: Node 24.21 keeps it, and with it the session, after the session is destroyed.
  let moved = 0
  const silence = setInterval(() => {
    const before = moved
    moved = socket.bytesRead + socket.bytesWritten
    if (moved === before && ![...streams].some(awaitsReply)) breakOff()
  }, idleMsMax).unref()
  session.on('close', () => clearInterval(silence))
  // Connection or protocol error. The streams report it to those that wait for them.
  session.on('error', breakOff)
  // A browser that half-closes its connection does not want any more replies.
  socket.on('end', breakOff)
  session.on('stream', (stream: ServerHttp2Stream, sent: StreamFields) => {
    streams.add(stream)
    // The close event reports it.
    stream.on('error', () => undefined)
    // Node 24.21 would wait for the reader of a stream that was reset without an error.
    stream.on('aborted', () => queueMicrotask(() => stream.destroy()))
    stream.on('close', () => {
      streams.delete(stream)
      resets += stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR ? 1 : -1
      if (resets > streamResetsMax) breakOff()
    })
    const { ':method': method = 'GET', ':scheme': scheme, ':authority': authority, ':path': path, ...fields } = sent
    const target = { method, scheme, authority: authority ?? fields.host, path }
    onExchange({
      method,
      asked: addressOf(target, covered),
      fields,
      tunnel,
      incoming: stream,
      channel: streamChannel(stream, method),
    })
  })
}

/** Whether the request is complete and the reply has not begun. Loupe may be building an index, which does not count as an idle
 *  browser. */
function awaitsReply({ endAfterHeaders, readableEnded, headersSent }: ServerHttp2Stream): boolean {
  return (endAfterHeaders || readableEnded) && !headersSent
}

/** The hosts that may be requested over this connection: that of the CONNECT request, and that of the SNI value, whose
 *  certificate the browser has seen (RFC 9113 9.1.1). */
function coveredAuthorities({ servername }: { servername?: string | false | null }, tunnel: Tunnel): Set<string> {
  const named = typeof servername === 'string' ? [{ ...tunnel.target, host: servername }] : []
  return new Set([tunnel.target, ...named].map((target) => authorityOf(target, tunnel.scheme).toLowerCase()))
}

/** Returns the URL of a stream's request, or the refusal of one that this connection does not cover. */
function addressOf(
  { method, scheme, authority, path }: Record<'method' | 'scheme' | 'authority' | 'path', string | undefined>,
  covered: ReadonlySet<string>,
): Exchange['asked'] {
  if (method === 'CONNECT') return { refusal: plainReply(400, message('viewer.tunnel.nested')) }
  const host = authority?.replace(/:443$/, '') ?? ''
  if (scheme !== 'https' || !covered.has(host.toLowerCase()))
    return { refusal: plainReply(421, message('viewer.tunnel.otherHost')) }
  if (!path?.startsWith('/')) return { refusal: plainReply(400, message('viewer.url.invalid')) }
  return { url: `https://${host}${path}` }
}
