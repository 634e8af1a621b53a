import { createServer, request as httpRequest, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { passOn, type PassOn } from './passOn.ts'

const opened: { server: Server; pass?: PassOn }[] = []
afterEach(() => {
  for (const { server, pass } of opened.splice(0)) {
    pass?.close()
    server.close()
    server.closeAllConnections()
  }
})

async function listening(server: Server, pass?: PassOn): Promise<number> {
  opened.push({ server, ...(pass && { pass }) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A server in place of the viewer's port that echoes each request. */
function echo(): Server {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'X-Seen': `${request.method} ${request.url}`, 'Set-Cookie': ['a=1', 'b=2'] })
    request.pipe(response)
  })
  return server.on('connect', (request, socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.end(`tunnel to ${request.url} of ${request.headers['proxy-authorization']}`)
  })
}

async function publicServer(viewerPort: number): Promise<number> {
  const pass = passOn(viewerPort)
  const server = createServer((request, response) => {
    if (pass.isForViewer(request)) pass.request(request, response)
    else response.end('the interface')
  })
  server.on('connect', (request, socket, head) => pass.connect(request, socket, head))
  return listening(server, pass)
}

function ask(
  port: number,
  path: string,
  body = '',
): Promise<{ status: number; seen: unknown; cookies: unknown; body: string }> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(
      { port, path, method: body === '' ? 'GET' : 'POST', host: '127.0.0.1', agent: false },
      (message) => {
        let text = ''
        message.on('data', (part: Buffer) => (text += part.toString()))
        message.on('end', () =>
          resolve({
            status: message.statusCode ?? 0,
            seen: message.headers['x-seen'],
            cookies: message.headers['set-cookie'],
            body: text,
          }),
        )
      },
    )
    asking.on('error', reject)
    asking.end(body)
  })
}

it('forwards requests with an absolute URL unchanged, and leaves the others', async () => {
  const port = await publicServer(await listening(echo()))
  expect(await ask(port, 'http://site.example//a?b=%20c?d')).toMatchObject({
    status: 200,
    seen: 'GET http://site.example//a?b=%20c?d',
    cookies: ['a=1', 'b=2'],
  })
  expect(await ask(port, 'http://site.example/form', 'posted')).toMatchObject({
    seen: 'POST http://site.example/form',
    body: 'posted',
  })
  expect(await ask(port, '/own')).toMatchObject({ status: 200, seen: undefined, body: 'the interface' })
})

it('forwards a tunnel to the viewer in both directions', async () => {
  const port = await publicServer(await listening(echo()))
  const heard = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (part: Buffer) => (text += part.toString())).on('close', () => resolve(text))
    socket.write(
      'CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\nProxy-Authorization: Basic YTpi\r\n\r\n',
    )
  })
  expect(heard).toBe('HTTP/1.1 200 Connection established\r\n\r\ntunnel to site.example:443 of Basic YTpi')
})

it('reports when the viewer does not answer', async () => {
  const gone = createServer()
  const viewerPort = await listening(gone)
  await new Promise((closed) => gone.close(closed))
  const port = await publicServer(viewerPort)
  expect(await ask(port, 'http://site.example/')).toMatchObject({ status: 502, body: 'The viewer does not answer.\n' })
})
