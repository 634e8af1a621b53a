/** The viewer's port: an HTTP proxy on loopback that a browser is pointed at. It takes absolute-form requests, opens every
 *  CONNECT tunnel at its own end (TLS with a certificate of this archive's authority, or plain), and hands each request to
 *  one function. It knows neither archive nor index, and it never connects to anything: an archived page can reach neither
 *  the live web nor a service on this machine through it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Fault } from '../../contract/calls/faults.ts'
import { answer, type Answering } from './answering.ts'
import type { CertificateAuthority } from '../certificates/certificateAuthority.ts'
import { speakHttp2 } from './http2Session.ts'
import { connectionsMax, idleMsMax, requestHeadBytesMax, requestHeadMsMax } from '../model/limits.ts'
import { proxyChallenge, proxyCredentialsOf, type ProxyCredentials } from '../model/proxyCredentials.ts'
import { connectionChannel } from './replyChannel.ts'
import { plainReply, type Reply } from '../model/reply.ts'
import { authorityOf, firstByte, isTls, securedEnd, tunnelTarget, type Tunnel } from './tunnels.ts'

export interface Proxy {
  readonly host: '127.0.0.1'
  readonly port: number
  /** Breaks every connection: whoever closes a viewer does not wait for a browser. */
  close(): Promise<void>
}

export interface ProxyOptions extends Answering {
  /** 0: the system picks one. */
  port: number
  certificateAuthority: CertificateAuthority
  /** Whether somebody has this name and password; a tunnel is refused to nobody who gives none. */
  isKnown: (credentials: ProxyCredentials) => boolean
}

const host = '127.0.0.1'
const proxyAuthenticationRequired = `407 Who is it\r\nProxy-Authenticate: ${proxyChallenge}`

/** Rejects with `Fault` when the port cannot be had. */
export async function openProxy({ port, certificateAuthority, isKnown, ...answering }: ProxyOptions): Promise<Proxy> {
  const { onProblem } = answering
  const tunnels = new WeakMap<object, Tunnel>()
  const sockets = new Set<Duplex>()

  const server = createServer({
    maxHeaderSize: requestHeadBytesMax,
    headersTimeout: requestHeadMsMax,
    connectionsCheckingInterval: requestHeadMsMax,
    keepAliveTimeout: idleMsMax,
    // An upload to an archive is read and thrown away; only silence ends it.
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
    // Node's parser stops behind a request to upgrade, whatever is answered: the connection is of no more use.
    if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false
    // Whoever has said all and heard nothing waits for Loupe, which may be making an index: Node would end that as silence.
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

  async function tunnel(message: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy()) // the browser broke the connection: there is nobody left to tell
    const target = tunnelTarget(message.url ?? '')
    if (tunnels.has(message.socket)) return refuse(socket, '400 A tunnel inside a tunnel')
    if (target === undefined) return refuse(socket, '400 Not a host and port')
    const credentials = proxyCredentialsOf(message.headers['proxy-authorization'])
    // Inside the tunnel no browser expects to be asked who it is.
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
        // From here on whoever speaks inside looks at the time: HTTP/2 reads past this socket, which would seem idle.
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
  return {
    host,
    port: address.port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The absolute address that is asked for; undefined when the request was not made to a proxy. */
function addressOf(message: IncomingMessage, tunnel: Tunnel | undefined): string | undefined {
  const asked = message.url ?? ''
  if (tunnel === undefined) return /^https?:\/\/[^/]/i.test(asked) ? asked : undefined
  const { target, scheme } = tunnel
  return asked.startsWith('/') ? `${scheme}://${authorityOf(target, scheme)}${asked}` : undefined
}

function notAProxyRequest(message: IncomingMessage, port: number): Reply {
  const whose = message.method === 'OPTIONS' && message.url === '*' ? 204 : 400
  return plainReply(
    whose,
    whose === 204
      ? ''
      : `This is the viewer port of Loupe, an HTTP proxy: set it as the proxy of a browser (127.0.0.1:${port || 'this port'}) to see archived pages.`,
  )
}

function statusLineFor(error: Error): string {
  const code = 'code' in error ? error.code : ''
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request head too large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request head too slow'
  return '400 Not an HTTP request'
}

function refuse(socket: Duplex, statusAndReason: string): void {
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${statusAndReason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}

function portFault(port: number, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE')
    return new Fault(
      'refused',
      `Port ${port} for archived pages is taken by another program: choose another, or 0 for any.`,
    )
  if (error.code === 'EACCES')
    return new Fault('notAllowed', `This account may not open port ${port} for archived pages: choose one above 1023.`)
  return new Error(`listening on ${host}:${port}`, { cause: error })
}
