import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { viewer, problems, ask, over, tunnel, secure, withArchivedSite, nearest } from './testing/archivedSite.ts'

withArchivedSite()
beforeAll(async () => void (await viewer.open(nearest([1]))))

describe('tunnels', () => {
  const get = (path: string, host: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

  it('use TLS with a certificate of this archive, and send the certificate authority in the chain', async () => {
    const end = await secure('secure.example')
    expect(end.authorized).toBe(true)
    expect(end.alpnProtocol).toBe('http/1.1')
    const leaf = end.getPeerCertificate(true)
    expect(leaf.subjectaltname).toBe('DNS:secure.example')
    expect(leaf.issuerCertificate.subject.O).toBe('Loupe')
    expect(await over(end, get('/', 'secure.example'))).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*over TLS$/)
  })

  it('reply to https requests with captures made over http', async () => {
    expect(await over(await secure('plain.example'), get('/', 'plain.example'))).toContain('only captured over http')
  })

  const names = [
    'a.b.c.d.example',
    'x_y.example',
    `${'long-label-of-a-host-name.'.repeat(6)}example`,
    '192.0.2.7',
    '2001:db8::7',
  ]
  for (const name of names) {
    it(`accept the name ${name}`, async () => {
      const end = await secure(name)
      expect(end.authorized).toBe(true)
      expect(await over(end, get('/nothing-here', name.includes(':') ? `[${name}]` : name))).toMatch(/^HTTP\/1\.1 404/)
    })
  }

  it('use the name in the ClientHello if it differs', async () => {
    expect((await secure('secure.example', 'plain.example')).getPeerCertificate().subjectaltname).toBe(
      'DNS:plain.example',
    )
  })

  it('carry plain HTTP too, which browsers use for ws://', async () => {
    expect(await over(await tunnel('site.example:80'), get('/ten', 'site.example'))).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[^]*0123456789$/,
    )
    const socket = 'GET /socket HTTP/1.1\r\nHost: site.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    expect(await over(await tunnel('site.example:80'), socket)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[^]*WebSockets/)
  })

  it('stay on HTTP/1.1 when a client offers an upgrade to HTTP/2', async () => {
    const asked = 'GET /ten HTTP/1.1\r\nHost: site.example\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
    expect(await over(await tunnel('site.example:80'), asked)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*0123456789$/)
  })

  it('answer pipelined requests in order', async () => {
    const end = await secure('secure.example')
    const asked = ['/1', '/', '/2', '/'].map((path) => `GET ${path} HTTP/1.1\r\nHost: secure.example\r\n\r\n`)
    const heard = await over(end, asked.join('') + get('/3', 'secure.example'))
    expect([...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '404',
      '200',
      '404',
      '200',
      '404',
    ])
  })

  const refused = (target: string) =>
    it(`are refused for ${target}`, async () => {
      const socket = connect({ host: viewer.proxy.host, port: viewer.proxy.port })
      expect(await over(socket, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
    })
  for (const target of [
    'example.com',
    'example.com:',
    'exa mple:443',
    '[::1:443',
    '[zz]:443',
    'a/b:443',
    `${'a'.repeat(300)}:443`,
    'b\xfccher.example:443',
  ])
    refused(target)

  it('connect to the archive only', async () => {
    const end = await tunnel(`127.0.0.1:${viewer.proxy.port}`)
    expect(await over(end, get('/', '127.0.0.1'))).toMatch(/^HTTP\/1\.1 404/)
  })

  it('are refused inside a tunnel', async () => {
    const end = await tunnel('site.example:80')
    expect(await over(end, 'CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('the port', () => {
  const send = (text: string) => over(connect({ host: viewer.proxy.host, port: viewer.proxy.port }), text)

  it('returns an explanation to a browser that opens it as a site', async () => {
    const heard = await send('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
    expect(heard).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(heard).toContain('This is the viewer port of Loupe, an HTTP proxy')
  })

  const check = (what: string, text: string, status: string) =>
    it(`${what} is ${status}`, async () => expect((await send(text)).split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`))
  check('noise', 'hello\r\n\r\n', '400 Not an HTTP request')
  check('TLS', '\x16\x03\x01\x02\x00\x01\x00', '400 Not an HTTP request')
  check(
    'an oversized header',
    `GET http://a/ HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
    '431 Request head too large',
  )
  check('another scheme', 'GET ftp://a/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '400 Bad Request')
  check('an invalid URL', 'GET http://[::x/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '400 Bad Request')

  it('listens on loopback only', () => expect(viewer.proxy.host).toBe('127.0.0.1'))

  it('keeps a connection open for the next request', async () => {
    const heard = await send(
      'GET http://site.example/ten HTTP/1.1\r\nHost: site.example\r\n\r\nGET http://site.example/ HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n',
    )
    expect(heard).toMatch(/0123456789HTTP\/1\.1 200 OK[^]*<h1>Hello<\/h1>$/)
  })

  it('continues after a browser drops the connection during a large response', async () => {
    for (let time = 0; time < 5; time++) {
      await new Promise<void>((broken) => {
        const socket = connect({ host: viewer.proxy.host, port: viewer.proxy.port })
        socket.once('data', () => socket.resetAndDestroy())
        socket.on('close', () => broken())
        socket.write('GET http://site.example/largechunked HTTP/1.1\r\nHost: site.example\r\n\r\n')
      })
    }
    expect((await ask('http://site.example/ten')).status).toBe(200)
    expect(problems.filter((problem) => problem.includes(' could not be answered. '))).toEqual([])
  })
})
