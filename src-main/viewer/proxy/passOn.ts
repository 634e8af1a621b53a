/** Forwards proxy requests that arrive at the public port of the server to the viewer's port on loopback. It answers nothing
 *  itself. */
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createProxyServer } from 'http-proxy-3'

/** Forwards requests and tunnels of one server. */
export interface PassOn {
  /** Whether a request is a proxy request: its target is an absolute URL (RFC 9112 3.2.2). */
  isForViewer(request: IncomingMessage): boolean
  request(request: IncomingMessage, response: ServerResponse): void
  /** For the server's `connect` event. */
  connect(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

const host = '127.0.0.1'

/** Makes the forwarding to the viewer's port. No connection is opened yet. */
export function passOn(proxyPort: number): PassOn {
  // Needs no limit of its own: each request here is one of the server's connections, which are limited.
  const agent = new Agent({ keepAlive: true })
  const proxy = createProxyServer({
    target: { host, port: proxyPort, protocol: 'http:' },
    agent,
    preserveHeaderKeyCase: true,
  })
  // The absolute URL stays in the request line. `toProxy` of http-proxy-3 would do this, but it prepends a slash and
  // alters what follows a second question mark (2.0.1, `urlJoin`).
  proxy.on('proxyReq', (outgoing, { url = '' }) => {
    outgoing.path = url
  })
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response && !response.headersSent)
      response.writeHead(502, { 'Content-Type': 'text/plain' }).end(`${textOf(message('viewer.unreachable'))}\n`)
    else response.destroy()
  })
  const tunnels = new Set<Socket>()

  return {
    isForViewer: ({ url }) => /^https?:\/\//i.test(url ?? ''),
    request(request, response) {
      // The server has answered Expect already. With it, the event above would not be emitted.
      delete request.headers.expect
      proxy.web(request, response)
    },
    connect({ url, httpVersion, headers }, socket, head) {
      const viewer = connect({ host, port: proxyPort, noDelay: true })
      tunnels.add(viewer)
      const { 'proxy-authorization': authorization } = headers
      const who = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`
      viewer.write(`CONNECT ${url} HTTP/${httpVersion}\r\nHost: ${url}\r\n${who}\r\n`)
      if (head.length > 0) viewer.write(head)
      viewer.pipe(socket)
      socket.pipe(viewer)
      // An error at either end closes both.
      const over = () => {
        tunnels.delete(viewer)
        viewer.destroy()
        socket.destroy()
      }
      for (const end of [viewer, socket]) end.on('error', over).on('close', over)
    },
    close() {
      for (const tunnel of tunnels) tunnel.destroy()
      proxy.removeAllListeners()
      agent.destroy()
    },
  }
}
