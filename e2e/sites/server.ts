/** The common part of the tests' web servers: listening on a port that the system picks, recording requests, and closing without
 *  waiting for open connections. */
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'

/** A request that a site received. */
export interface SiteRequest {
  method: string
  /** Scheme, host and path, as a browser shows the address. */
  url: string
  referrer: string | undefined
  userAgent: string | undefined
}

/** A web server that records its requests. */
export interface Site {
  /** The address to harvest, without a slash at its end. */
  origin: string
  /** The requests in the order of their arrival. */
  requests: SiteRequest[]
  close(): Promise<void>
}

/** A site with its own host names. `resolve` maps each of them to an address, as `--resolve` of a harvest needs it. */
export interface NamedSite extends Site {
  resolve: Record<string, string>
}

/** A server that accepts connections. */
export interface Listening {
  /** Host and port, such as `127.0.0.1:40123`. */
  address: string
  close(): Promise<void>
}

/** Starts a server on a free port of 127.0.0.1. Closing it destroys the connections that are still open. */
export async function listen(server: HttpServer | HttpsServer | NetServer): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** A port of 127.0.0.1 on which no server listens: it was free a moment ago. */
export async function closedAddress(): Promise<string> {
  const { address, close } = await listen(createServer())
  await close()
  return address
}

/** Records a request of node:http; the scheme is not part of the request itself. */
export function siteRequest(scheme: 'http' | 'https', request: IncomingMessage): SiteRequest {
  return {
    method: request.method ?? '',
    url: `${scheme}://${request.headers.host ?? ''}${request.url ?? ''}`,
    referrer: request.headers.referer,
    userAgent: request.headers['user-agent'],
  }
}
