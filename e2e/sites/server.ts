/** What the web servers of the tests share: starting on a port that the system picks, remembering who asked for what, and
 *  closing without waiting for anybody. */
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'

export interface SiteRequest {
  method: string
  /** Scheme, host and path, as a browser would show the address. */
  url: string
  referrer: string | undefined
  userAgent: string | undefined
}

export interface Site {
  /** What to harvest, without a slash at its end. */
  origin: string
  /** In the order of their coming. */
  requests: SiteRequest[]
  close(): Promise<void>
}

/** A site with host names of its own: `resolve` is what a harvest needs to find it. */
export interface NamedSite extends Site {
  resolve: Record<string, string>
}

export interface Listening {
  /** `127.0.0.1:40123` */
  address: string
  close(): Promise<void>
}

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

/** A port of 127.0.0.1 where nobody listens: it was free a moment ago. */
export async function closedAddress(): Promise<string> {
  const { address, close } = await listen(createServer())
  await close()
  return address
}

export function siteRequest(scheme: 'http' | 'https', request: IncomingMessage): SiteRequest {
  return {
    method: request.method ?? '',
    url: `${scheme}://${request.headers.host ?? ''}${request.url ?? ''}`,
    referrer: request.headers.referer,
    userAgent: request.headers['user-agent'],
  }
}
