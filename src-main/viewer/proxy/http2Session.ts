/** One connection of HTTP/2 inside a tunnel (RFC 9113): each of its streams becomes the same exchange as a request of
 *  HTTP/1.1. What may come over it, and how much, is bounded here; its flow control is Node's. */
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

/** No `enableConnectProtocol`: who wants a WebSocket has to ask for it over HTTP/1.1, and is refused there (RFC 8441 3). */
const bounds = {
  settings: { maxConcurrentStreams: streamsMax, maxHeaderListSize: requestHeadBytesMax, enablePush: false },
  maxSettings: settingsMax,
  maxSessionMemory: sessionMegabytesMax,
  maxHeaderListPairs: requestFieldsMax,
  maxOutstandingPings: waitingPingsMax,
  maxSessionInvalidFrames: invalidFramesMax,
  maxSessionRejectedStreams: refusedStreamsMax,
  // Archived answers say things twice that may be said once; a browser knows what to make of it.
  strictSingleValueFields: false,
}

/** Begins at once; the socket has just become secure. Destroying the socket ends all. */
export function speakHttp2(socket: TLSSocket, tunnel: Tunnel, onExchange: (exchange: Exchange) => void): void {
  const session = performServerHandshake(socket, bounds)
  // A session waits for the word that sockets get from `tls.connect` and from a TLS server; this one was made by hand.
  socket.emit('secureConnect')
  const covered = coveredAuthorities(socket, tunnel)
  let resets = 0
  // A session that is destroyed still waits until its socket has given away what was written, which may be never.
  const breakOff = () => {
    session.destroy()
    socket.destroy()
  }
  const streams = new Set<ServerHttp2Stream>()
  // Not by the session's own timeout: Node (24.21) leaves that running when it destroys the session, and keeps it until then.
  let moved = 0
  const silence = setInterval(() => {
    const before = moved
    moved = socket.bytesRead + socket.bytesWritten
    if (moved === before && ![...streams].some(awaitsReply)) breakOff()
  }, idleMsMax).unref()
  session.on('close', () => clearInterval(silence))
  // The browser broke the connection or the protocol: its streams tell those who wait.
  session.on('error', breakOff)
  // Half open, as sockets of an HTTP/1.1 server are; here whoever says no more wants no answers either.
  socket.on('end', breakOff)
  session.on('stream', (stream: ServerHttp2Stream, said: StreamFields) => {
    streams.add(stream)
    // Told by its closing.
    stream.on('error', () => undefined)
    // Reset without an error while it is being answered, Node would let it wait for a reader that is gone (24.21).
    stream.on('aborted', () => queueMicrotask(() => stream.destroy()))
    stream.on('close', () => {
      streams.delete(stream)
      resets += stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR ? 1 : -1
      if (resets > streamResetsMax) breakOff()
    })
    const { ':method': method = 'GET', ':scheme': scheme, ':authority': authority, ':path': path, ...fields } = said
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

/** It has said all and heard nothing: Loupe may be making an index, which is not the browser's silence. */
function awaitsReply({ endAfterHeaders, readableEnded, headersSent }: ServerHttp2Stream): boolean {
  return (endAfterHeaders || readableEnded) && !headersSent
}

/** What the browser may ask for over this connection: the host of its CONNECT, and the one whose certificate it was shown
 *  because it named it itself (RFC 9113 9.1.1). */
function coveredAuthorities({ servername }: { servername?: string | false | null }, tunnel: Tunnel): Set<string> {
  const named = typeof servername === 'string' ? [{ ...tunnel.target, host: servername }] : []
  return new Set([tunnel.target, ...named].map((target) => authorityOf(target, tunnel.scheme).toLowerCase()))
}

function addressOf(
  { method, scheme, authority, path }: Record<'method' | 'scheme' | 'authority' | 'path', string | undefined>,
  covered: ReadonlySet<string>,
): Exchange['asked'] {
  if (method === 'CONNECT') return { refusal: plainReply(400, 'A tunnel inside a tunnel.') }
  const host = authority?.replace(/:443$/, '') ?? ''
  if (scheme !== 'https' || !covered.has(host.toLowerCase()))
    return { refusal: plainReply(421, 'This connection was opened for another host.') }
  if (!path?.startsWith('/')) return { refusal: plainReply(400, 'This is not an address.') }
  return { url: `https://${host}${path}` }
}
