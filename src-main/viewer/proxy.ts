/** The viewer's port: an HTTP proxy on loopback that a browser is pointed at. It takes absolute-form requests, opens every
 *  CONNECT tunnel at its own end (TLS with a certificate of this archive's authority, or plain), and hands each request to
 *  one function. It knows neither archive nor index, and it never connects to anything: an archived page can reach neither
 *  the live web nor a service on this machine through it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { Fault } from '../contract/faults.ts'
import type { Authority } from './authority.ts'
import { connectionsMax, idleMsMax, requestHeadBytesMax, requestHeadMsMax } from './limits.ts'
import { proxyCredentialsOf, type ProxyCredentials } from './proxyCredentials.ts'
import { contentReader } from './requestContent.ts'
import { plainReply, type Reply, type Resolver } from './resolvers.ts'
import { sendReply } from './send.ts'

export interface Proxy {
  readonly host: '127.0.0.1'
  readonly port: number
  /** Breaks every connection: whoever closes a viewer does not wait for a browser. */
  close(): Promise<void>
}

export interface ProxyOptions {
  /** 0: the system picks one. */
  port: number
  authority: Authority
  /** What it throws is answered 500, and a stream that fails breaks the connection; `onProblem` hears of both. */
  resolve: Resolver
  onProblem: (error: unknown, url: string) => void
}

const host = '127.0.0.1'

interface Tunnel {
  /** What it speaks for: `https://www.example.com`. */
  origin: string
  /** Of the CONNECT that opened it: what passes through it is meant for the site and says no more about who asks. */
  credentials: ProxyCredentials | undefined
}

/** Rejects with `Fault` when the port cannot be had. */
export async function openProxy({ port, authority, resolve, onProblem }: ProxyOptions): Promise<Proxy> {
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

  server.on('request', (message, response) => void answer(message, response))
  server.on('connect', (message: IncomingMessage, socket: Socket, head: Buffer) => void tunnel(message, socket, head))
  server.on('clientError', (error, socket) => refuse(socket, wordsFor(error)))

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const through = tunnels.get(message.socket)
    const url = addressOf(message, through?.origin)
    // Node's parser stops behind a request to upgrade, whatever is answered: the connection is of no more use.
    if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false
    const gone = new AbortController()
    response.on('close', () => gone.abort(new Error('the browser went away')))
    // For this proxy alone: no page and no archive is to see it (RFC 9110 11.7.2).
    const { 'proxy-authorization': authorization, ...fields } = message.headers
    const request = {
      method: message.method ?? 'GET',
      url: url ?? '',
      fields,
      credentials: through ? through.credentials : proxyCredentialsOf(authorization),
      content: contentReader(message, fields['content-length']),
      signal: gone.signal,
    }
    try {
      const reply = url === undefined ? notAProxyRequest(message, port) : await resolve(request)
      await sendReply(reply, response)
    } catch (error) {
      if (gone.signal.aborted) return
      onProblem(error, request.url)
      if (response.headersSent) response.destroy()
      else await sendReply(plainReply(500, 'Loupe could not answer; its log says why.'), response)
    }
  }

  async function tunnel(message: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy()) // the browser broke the connection: there is nobody left to tell
    const target = tunnelTarget(message.url ?? '')
    if (tunnels.has(message.socket)) return refuse(socket, '400 A tunnel inside a tunnel')
    if (target === undefined) return refuse(socket, '400 Not a host and port')
    socket.setTimeout(idleMsMax, () => socket.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const first = await firstByte(socket, head)
    if (first === undefined) return
    // ws:// arrives as CONNECT too, so the port says nothing. A TLS record of a handshake begins with 0x16 (RFC 8446 5.1).
    const secure = first === 0x16
    try {
      const end = secure ? await secured(socket, target.host, authority) : socket
      const credentials = proxyCredentialsOf(message.headers['proxy-authorization'])
      tunnels.set(end, { origin: originOf(target, secure ? 'https' : 'http'), credentials })
      server.emit('connection', end)
    } catch (error) {
      onProblem(error, `https://${target.host}`)
      socket.destroy()
    }
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
function addressOf(message: IncomingMessage, tunnelOrigin: string | undefined): string | undefined {
  const target = message.url ?? ''
  if (tunnelOrigin !== undefined) return target.startsWith('/') ? `${tunnelOrigin}${target}` : undefined
  return /^https?:\/\/[^/]/i.test(target) ? target : undefined
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

/** `host:port` of a CONNECT (RFC 9112 3.2.3). The name becomes part of a certificate, so nothing but a host passes. */
function tunnelTarget(authorityForm: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253})):(\d{1,5})$/i.exec(authorityForm) ?? []
  const name = bracketed ?? plain
  if (name === undefined || (bracketed !== undefined && isIP(bracketed) !== 6)) return undefined
  return { host: name, port: Number(port) }
}

function originOf({ host: name, port }: { host: string; port: number }, scheme: 'http' | 'https'): string {
  const shown = name.includes(':') ? `[${name}]` : name
  return `${scheme}://${shown}${port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`}`
}

/** The first byte that the browser says in its tunnel, left in the socket; undefined when it says none. */
function firstByte(socket: Socket, head: Buffer): Promise<number | undefined> {
  if (head.length > 0) socket.unshift(head)
  return new Promise((seen) => {
    const look = () => {
      const bytes = socket.read() as Buffer | null
      if (bytes === null) return
      settle(bytes[0])
      socket.unshift(bytes)
    }
    const ended = () => settle(undefined)
    const settle = (byte: number | undefined) => {
      socket.off('readable', look).off('close', ended).off('end', ended)
      seen(byte)
    }
    socket.on('readable', look).on('close', ended).on('end', ended)
  })
}

async function secured(socket: Socket, name: string, authority: Authority): Promise<TLSSocket> {
  const end = new TLSSocket(socket, {
    isServer: true,
    secureContext: await authority.contextFor(name),
    ALPNProtocols: ['http/1.1'],
    SNICallback: (asked, use) => {
      // Usually the name of the CONNECT. One that could not be a host gets the CONNECT's certificate.
      const shown = tunnelTarget(`${asked}:443`)?.host ?? name
      authority.contextFor(shown).then(
        (context) => use(null, context),
        (error: unknown) => use(error instanceof Error ? error : new Error('making a certificate', { cause: error })),
      )
    },
  })
  // A browser that does not trust the authority ends here: it shows its own warning page.
  end.on('error', () => end.destroy())
  return end
}

function wordsFor(error: Error): string {
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
      'inUse',
      `Port ${port} for archived pages is taken by another program: choose another, or 0 for any.`,
    )
  if (error.code === 'EACCES')
    return new Fault('notAllowed', `This account may not open port ${port} for archived pages: choose one above 1023.`)
  return new Error(`listening on ${host}:${port}`, { cause: error })
}
