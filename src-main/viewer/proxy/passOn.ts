/** For a server that offers one public port: what arrives there for the viewer (a browser that uses that port as its
 *  proxy) is handed on whole to the viewer's own port, which listens on loopback only. It answers nothing itself. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createProxyServer } from 'http-proxy-3'

export interface PassOn {
  /** Whether a request of the server is one to a proxy: its target is a whole address (RFC 9112 3.2.2). */
  isForViewer(request: IncomingMessage): boolean
  request(request: IncomingMessage, response: ServerResponse): void
  /** For the server's `connect` event. */
  connect(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

const host = '127.0.0.1'

export function passOn(proxyPort: number): PassOn {
  // Without a bound of its own: each request here is one of the server's connections, which it bounds.
  const agent = new Agent({ keepAlive: true })
  const proxy = createProxyServer({
    target: { host, port: proxyPort, protocol: 'http:' },
    agent,
    preserveHeaderKeyCase: true,
  })
  // The address stays in the request line, whole, as a proxy gets it. `toProxy` would do this, but puts a slash before it
  // and joins what follows a second question mark (http-proxy-3 2.0.1, `urlJoin`).
  proxy.on('proxyReq', (outgoing, { url = '' }) => {
    outgoing.path = url
  })
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response && !response.headersSent)
      response.writeHead(502, { 'Content-Type': 'text/plain' }).end('The viewer does not answer.\n')
    else response.destroy()
  })
  const tunnels = new Set<Socket>()

  return {
    isForViewer: ({ url }) => /^https?:\/\//i.test(url ?? ''),
    request(request, response) {
      // Answered by the server already; with it, the event above would not come.
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
      // Either end's error ends both: there is nobody to tell.
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
