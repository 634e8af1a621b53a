/** The viewer's HTTP proxy on loopback. It accepts absolute-form requests, terminates CONNECT tunnels (TLS with a certificate
 *  of the archive's certificate authority, or plain HTTP), and passes each request to one resolver. It knows neither archive
 *  nor index and never opens a connection, so an archived page can reach neither the live web nor a service of this machine
 *  through it. */
import { message } from '../../contract/words/message.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Fault } from '../../contract/calls/faults.ts'
import { answer, type Answering } from './answering.ts'
import type { CertificateAuthority } from '../certificates/certificateAuthority.ts'
import { speakHttp2 } from './http2Session.ts'
import { connectionsMax, idleMsMax, requestHeadBytesMax, requestHeadMsMax } from '../model/limits.ts'
import { proxyChallenge, proxyCredentialsOf, type ProxyCredentials } from '../model/proxyCredentials.ts'
import { connectionChannel } from './replyChannel.ts'
import { emptyReply, plainReply, type Reply } from '../model/reply.ts'
import { authorityOf, firstByte, isTls, securedEnd, tunnelTarget, type Tunnel } from './tunnels.ts'

/** A listening proxy. */
export interface Proxy {
  readonly host: '127.0.0.1'
  readonly port: number
  /** Closes every connection at once, without waiting for browsers. */
  close(): Promise<void>
}

/** How the proxy listens, and what answers its requests. */
export interface ProxyOptions extends Answering {
  /** 0: the system picks one. */
  port: number
  certificateAuthority: CertificateAuthority
  /** Whether a viewing has these credentials. Requests without credentials are not checked. */
  isKnown: (credentials: ProxyCredentials) => boolean
}

const host = '127.0.0.1'
const proxyAuthenticationRequired = `407 Proxy Authentication Required\r\nProxy-Authenticate: ${proxyChallenge}`

/** Rejects with `Fault` if the port cannot be opened. */
export async function openProxy({ port, certificateAuthority, isKnown, ...answering }: ProxyOptions): Promise<Proxy> {
  const { onProblem } = answering
  const tunnels = new WeakMap<object, Tunnel>()
  const sockets = new Set<Duplex>()

  const server = createServer({
    maxHeaderSize: requestHeadBytesMax,
    headersTimeout: requestHeadMsMax,
    connectionsCheckingInterval: requestHeadMsMax,
    keepAliveTimeout: idleMsMax,
    // Uploads are read and discarded, so only idle time ends them.
    requestTimeout: 0,
    noDelay: true,
  })
  server.maxConnections = connectionsMax
  server.timeout = idleMsMax
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  server.on('request', (message, response) => void answerMessage(message, response))
  server.on('connect', (message: IncomingMessage, socket: Socket, head: Buffer) => void tunnel(message, socket, head))
  server.on('clientError', (error, socket) => refuse(socket, statusLineFor(error)))

  function answerMessage(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const through = tunnels.get(message.socket)
    const url = addressOf(message, through)
    // Node's parser stops after an upgrade request, so the connection cannot be used again.
    if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false
    // A complete request without a reply waits for Loupe, which may be building an index. Node would close it as idle.
    response.on('timeout', (socket: Socket) => {
      if (!message.complete || response.headersSent) socket.destroy()
    })
    return answer(
      {
        method: message.method ?? 'GET',
        asked: url === undefined ? { refusal: notAProxyRequest(message, port) } : { url },
        fields: message.headers,
        tunnel: through,
        incoming: message,
        channel: connectionChannel(response),
      },
      answering,
    )
  }

  /** Terminates a tunnel: TLS or plain HTTP, by its first byte. */
  async function tunnel(message: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy()) // The browser closed the connection.
    const target = tunnelTarget(message.url ?? '')
    if (tunnels.has(message.socket)) return refuse(socket, '400 Tunnel inside a tunnel')
    if (target === undefined) return refuse(socket, '400 Not a host and port')
    const credentials = proxyCredentialsOf(message.headers['proxy-authorization'])
    // Browsers do not expect a proxy challenge inside a tunnel, so the credentials are checked now.
    if (credentials && !isKnown(credentials)) return refuse(socket, proxyAuthenticationRequired)
    const silent = () => socket.destroy()
    socket.setTimeout(idleMsMax, silent)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const first = await firstByte(socket, head)
    if (first === undefined) return void socket.destroy()
    if (!isTls(first)) {
      socket.off('timeout', silent)
      return speakHttp1(socket, { target, scheme: 'http', credentials })
    }
    try {
      const end = await securedEnd(socket, target.host, certificateAuthority)
      const opened: Tunnel = { target, scheme: 'https', credentials }
      end.once('secure', () => {
        // From here on the protocol inside watches for idle time: HTTP/2 reads past this socket, which would seem idle.
        socket.setTimeout(0)
        if (end.alpnProtocol === 'h2') speakHttp2(end, opened, (exchange) => void answer(exchange, answering))
        else speakHttp1(end, opened)
      })
    } catch (error) {
      onProblem(error, `https://${target.host}`)
      socket.destroy()
    }
  }

  function speakHttp1(end: Duplex, opened: Tunnel): void {
    tunnels.set(end, opened)
    server.emit('connection', end)
  }

  const ownPort = await listen(server, port)
  return {
    host,
    port: ownPort,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Starts listening on loopback and returns the port. Rejects with `Fault` if the port cannot be opened. */
async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((listening, failed) => {
    const refused = (error: NodeJS.ErrnoException) => failed(portFault(port, error))
    server.once('error', refused)
    server.listen({ host, port }, () => {
      server.off('error', refused)
      listening()
    })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a numeric address')
  return address.port
}

/** The absolute URL of the request. Undefined if it is not a proxy request. */
function addressOf(message: IncomingMessage, tunnel: Tunnel | undefined): string | undefined {
  const asked = message.url ?? ''
  if (tunnel === undefined) return /^https?:\/\/[^/]/i.test(asked) ? asked : undefined
  const { target, scheme } = tunnel
  return asked.startsWith('/') ? `${scheme}://${authorityOf(target, scheme)}${asked}` : undefined
}

/** The reply to a request in origin-form (RFC 9112 3.2.1): the user opened the proxy's address as if it were a
 *  site. */
function notAProxyRequest(incoming: IncomingMessage, port: number): Reply {
  if (incoming.method === 'OPTIONS' && incoming.url === '*') return emptyReply(204)
  return plainReply(400, message('viewer.notForProxy', { proxy: `${host}:${port}` }))
}

/** Status and reason for an error of the HTTP parser. */
function statusLineFor(error: Error): string {
  const code = 'code' in error ? error.code : ''
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request head too large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request head too slow'
  return '400 Not an HTTP request'
}

/** Sends a bare status line and closes the socket. */
function refuse(socket: Duplex, statusAndReason: string): void {
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${statusAndReason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}

function portFault(port: number, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') return new Fault('refused', message('viewer.port.inUse', { port }))
  if (error.code === 'EACCES') return new Fault('notAllowed', message('viewer.port.denied', { port }))
  return new Error(`listening on ${host}:${port}`, { cause: error })
}
