import { once } from 'node:events'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import {
  connect as connectHttp2,
  constants,
  type ClientHttp2Session,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { realWorld } from '../../world/real.ts'
import { streamOf } from '../model/content.ts'
import { openCertificateAuthority, type CertificateAuthority } from '../certificates/certificateAuthority.ts'
import { idleMsMax, requestContentBytesMax, streamResetsMax } from '../model/limits.ts'
import { openProxy, type Proxy } from './proxy.ts'
import type { ByteStream } from '../model/content.ts'
import { saying } from '../testing/viewerFixture.ts'
import type { BrowserRequest, Reply } from '../model/reply.ts'

let folder: string
let certificateAuthority: CertificateAuthority
let proxy: Proxy
const asked: BrowserRequest[] = []
const problems: string[] = []
const sessions: ClientHttp2Session[] = []
const large = Buffer.alloc(3_000_000, 'a body that is larger than every window ')

const reply = (more: Partial<Reply>): Reply => ({ ...saying('fine'), ...more })

const breaking = (): ByteStream => {
  async function* parts() {
    yield Buffer.from('begun')
    throw new Error('the record is damaged')
  }
  return streamOf(parts(), async () => undefined)
}

/** Bytes read so far from the endless body. */
let given = 0
const endlessClosed = Promise.withResolvers<void>()
const endless = (): ByteStream => {
  async function* parts() {
    for (;;) {
      yield new Uint8Array(64 * 1024)
      given += 64 * 1024
    }
  }
  return streamOf(parts(), async () => endlessClosed.resolve())
}

/** A request for `/waits` has arrived, and its signal was aborted. */
let arrived = Promise.withResolvers<void>()
let abandoned = Promise.withResolvers<void>()
/** The request for `/lasts` may be completed. */
let released = Promise.withResolvers<void>()
function expectOneThatWaits(): void {
  arrived = Promise.withResolvers()
  abandoned = Promise.withResolvers()
  released = Promise.withResolvers()
}

const answers: Record<string, (request: BrowserRequest) => Reply | Promise<Reply>> = {
  '/fields': () =>
    reply({
      fields: [
        ['X-One', 'a'],
        ['Set-Cookie', 'a=1'],
        ['X-Two', 'caf\xe9\n'],
        ['Set-Cookie', 'b=2'],
        ['Content-Type', 'text/plain'],
        ['Content-Type', 'text/html'],
      ],
    }),
  '/999': () => reply({ status: 999, reason: 'Request denied' }),
  '/none': () => reply({ status: 204, fields: [], body: Buffer.from('not to be sent') }),
  '/large': () => reply({ fields: [['Content-Length', String(large.length)]], body: large }),
  '/breaks': () => reply({ fields: [], body: breaking() }),
  '/endless': () => reply({ fields: [], body: endless() }),
  '/throws': () => {
    throw new Error('a bug in /folder/secret.ts')
  },
  '/content': async ({ content }) => {
    const sent = await content()
    return saying(sent === undefined ? 'too much' : Buffer.from(sent).toString())
  },
  '/lasts': async () => {
    arrived.resolve()
    await released.promise
    return saying('it took long')
  },
  '/waits': ({ signal }) =>
    new Promise((_, reject) => {
      arrived.resolve()
      signal.addEventListener('abort', () => {
        abandoned.resolve()
        reject(new Error('given up'))
      })
    }),
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-http2-'))
  certificateAuthority = await openCertificateAuthority({ folder, world: realWorld() })
})
beforeEach(async () => {
  asked.splice(0)
  problems.splice(0)
  expectOneThatWaits()
  proxy = await openProxy({
    isKnown: () => true,
    port: 0,
    certificateAuthority,
    resolve: async (request) => {
      asked.push(request)
      return (await answers[new URL(request.url).pathname]?.(request)) ?? saying('fine')
    },
    onProblem: (error) => problems.push(String(error)),
  })
})
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy()
  await proxy.close()
})
afterAll(() => rm(folder, { recursive: true }))

async function secured(target = 'site.example:443', servername = 'site.example', credentials = ''): Promise<TLSSocket> {
  const socket = connect({ host: proxy.host, port: proxy.port })
  const who = credentials === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${who}\r\n`)
  await new Promise((established) => socket.once('data', established))
  const end = connectTls({ socket, ca: certificateAuthority.pem, servername, ALPNProtocols: ['h2', 'http/1.1'] })
  await new Promise((secure) => end.once('secureConnect', secure))
  return end
}

async function opened(...asking: Parameters<typeof secured>): Promise<ClientHttp2Session> {
  const end = await secured(...asking)
  const session = connectHttp2('https://site.example', { createConnection: () => end })
  session.on('error', () => undefined)
  sessions.push(session)
  return session
}

interface Got {
  status: number | undefined
  fields: string[]
  body: string
  /** The error code that closed the stream. */
  code: number
}

function ask(session: ClientHttp2Session, fields: OutgoingHttpHeaders, content?: string | Buffer): Promise<Got> {
  return new Promise((resolve) => {
    const stream = session.request(fields, { endStream: content === undefined })
    const got: Got = { status: undefined, fields: [], body: '', code: -1 }
    stream.on('response', (head, _, raw) => Object.assign(got, { status: head[':status'], fields: raw }))
    stream.on('data', (part: Buffer) => (got.body += part.toString()))
    stream.on('error', () => undefined)
    stream.on('close', () => resolve({ ...got, code: stream.rstCode ?? -1 }))
    if (content !== undefined) stream.end(content)
  })
}

it('is used when the browser offers it, and HTTP/1.1 otherwise', async () => {
  expect((await secured()).alpnProtocol).toBe('h2')
  const socket = connect({ host: proxy.host, port: proxy.port })
  socket.write('CONNECT site.example:443 HTTP/1.1\r\nHost: site.example\r\n\r\n')
  await new Promise((established) => socket.once('data', established))
  const end = connectTls({ socket, ca: certificateAuthority.pem, servername: 'site.example' })
  end.write('GET /old HTTP/1.1\r\nHost: site.example\r\n\r\n')
  expect(await new Promise<string>((heard) => end.once('data', (bytes: Buffer) => heard(bytes.toString())))).toMatch(
    /^HTTP\/1\.1 200 OK/,
  )
  end.destroy()
})

it('gives the chain the same request as HTTP/1.1', async () => {
  const session = await opened('site.example:443', 'site.example', 'me:secret')
  const got = await ask(session, {
    ':path': '/a?b=%20c',
    cookie: ['a=1', 'b=2'],
    'proxy-authorization': 'Basic b3RoZXI6eA==',
    referer: 'https://site.example/',
  })
  expect(got).toMatchObject({ status: 200, body: 'fine\n', code: 0 })
  const [request] = asked
  expect(request).toMatchObject({
    method: 'GET',
    url: 'https://site.example/a?b=%20c',
    credentials: { user: 'me', password: 'secret' },
  })
  expect({ ...request?.fields }).toMatchObject({ cookie: 'a=1; b=2', referer: 'https://site.example/' })
  expect(Object.keys(request?.fields ?? {}).filter((name) => /^:|^proxy/.test(name))).toEqual([])
})

it('keeps headers in order, including repeated ones, and adds no Date', async () => {
  const { fields } = await ask(await opened(), { ':path': '/fields' })
  expect(fields).toEqual([
    ...[':status', '200', 'x-one', 'a', 'set-cookie', 'a=1', 'x-two', 'caf\xe9', 'set-cookie', 'b=2'],
    ...['content-type', 'text/plain', 'content-type', 'text/html'],
  ])
})

/** The reply contains no part of the error. Its message and stack belong in the log. */
const oneSentence = 'Loupe could not answer this request. The cause is in its log.\n'
const check = (what: string, path: string, fields: OutgoingHttpHeaders, expected: Partial<Got>) =>
  it(`answers ${what}`, async () => {
    expect(await ask(await opened(), { ':path': path, ...fields })).toMatchObject(expected)
  })
check('HEAD', '/fields', { ':method': 'HEAD' }, { status: 200, body: '', code: 0 })
check('HEAD of much', '/large', { ':method': 'HEAD' }, { status: 200, body: '', code: 0 })
check('no content', '/none', {}, { status: 204, body: '', code: 0 })
check('a body of many windows', '/large', {}, { status: 200, body: large.toString(), code: 0 })
check('a bug', '/throws', {}, { status: 500, body: oneSentence, code: 0 })
check('an answer that breaks in the middle', '/breaks', {}, { code: constants.NGHTTP2_INTERNAL_ERROR, body: 'begun' })
check('another host', '/', { ':authority': 'other.example' }, { status: 421 })
check('another port', '/', { ':authority': 'site.example:8443' }, { status: 421 })
check('another scheme', '/', { ':scheme': 'http' }, { status: 421 })
check('the host in capitals, with its port', '/', { ':authority': 'Site.Example:443' }, { status: 200 })
check('no path', '*', { ':method': 'OPTIONS' }, { status: 400 })

it('reports a bug as over HTTP/1.1, plain and in a tunnel, and logs it', async () => {
  const tunnel = connect({ host: proxy.host, port: proxy.port })
  tunnel.write('CONNECT site.example:443 HTTP/1.1\r\nHost: site.example\r\n\r\n')
  await new Promise((established) => tunnel.once('data', established))
  const both: [Duplex, string][] = [
    [connect({ host: proxy.host, port: proxy.port }), 'http://site.example/throws'],
    [connectTls({ socket: tunnel, ca: certificateAuthority.pem, servername: 'site.example' }), '/throws'],
  ]
  for (const [socket, target] of both) {
    socket.write(`GET ${target} HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n`)
    const [head, body] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/)
    expect(head).not.toMatch(/secret|a bug| at /)
    expect(body).toBe(oneSentence)
  }
  expect(problems).toEqual(both.map(() => 'Error: a bug in /folder/secret.ts'))
})

it('replaces a status that HTTP/2 does not allow by the first of its class', async () => {
  const got = await ask(await opened(), { ':path': '/999' })
  expect(got.status).toBe(500)
  expect(got.fields.slice(-2)).toEqual(['x-archive-orig-status', '999'])
})

it('accepts requests for the name in the ClientHello, which the certificate covers', async () => {
  const session = await opened('site.example:8443', 'other.example')
  for (const authority of ['site.example:8443', 'other.example:8443'])
    expect(await ask(session, { ':authority': authority, ':path': '/' })).toMatchObject({ status: 200 })
  expect(asked.map(({ url }) => url)).toEqual(['https://site.example:8443/', 'https://other.example:8443/'])
})

it('reads request bodies and discards what exceeds the limit', async () => {
  const session = await opened()
  const post = { ':method': 'POST', ':path': '/content' }
  expect((await ask(session, post, 'a=b')).body).toBe('a=b\n')
  expect((await ask(session, post, Buffer.alloc(requestContentBytesMax * 3))).body).toBe('too much\n')
  expect((await ask(session, { ...post, ':path': '/unread' }, Buffer.alloc(requestContentBytesMax))).body).toBe(
    'fine\n',
  )
  expect((await ask(session, post, 'still there')).body).toBe('still there\n')
})

it('answers a hundred streams at once', async () => {
  const session = await opened()
  const all = Array.from({ length: 100 }, (_, index) => ask(session, { ':path': index % 10 ? '/small' : '/large' }))
  const got = await Promise.all(all)
  expect(got.map(({ body }) => body.length)).toEqual(all.map((_, index) => (index % 10 ? 5 : large.length)))
})

it('an unread stream does not block the others', async () => {
  const session = await opened()
  const slow = Array.from({ length: 90 }, () => session.request({ ':path': '/large' }))
  await Promise.all(slow.map((stream) => new Promise((begun) => stream.once('response', begun))))
  // Unread bytes also use up the window of the connection, which only the client can enlarge.
  session.setLocalWindowSize(2 ** 31 - 1)
  for (let time = 0; time < 5; time++) expect((await ask(session, { ':path': '/small' })).status).toBe(200)
  for (const stream of slow) stream.close()
})

it('reads no more of a body than the browser does', async () => {
  const session = await opened()
  const stream = session.request({ ':path': '/endless' })
  await new Promise((begun) => stream.once('response', begun))
  // Waits until a ping passes without new bytes: the window is full.
  for (let before = -1; before !== given;) {
    before = given
    await new Promise((settled) => session.ping(settled))
    expect(given).toBeLessThan(8 * 1024 * 1024)
  }
  stream.close()
  await endlessClosed.promise
})

it('informs the chain when a browser resets a stream or closes the connection', async () => {
  const session = await opened()
  const stream = session.request({ ':path': '/waits' })
  stream.on('error', () => undefined)
  await arrived.promise
  stream.close(constants.NGHTTP2_CANCEL)
  await abandoned.promise
  expect((await ask(session, { ':path': '/small' })).status).toBe(200)
  expectOneThatWaits()
  session.request({ ':path': '/waits' }).on('error', () => undefined)
  await arrived.promise
  session.destroy()
  await abandoned.promise
  expect(problems).toEqual([])
})

it('refuses CONNECT and WebSocket requests on a stream, and continues', async () => {
  const session = await opened()
  const tunnel = { ':method': 'CONNECT', ':authority': 'site.example:443' }
  expect(await ask(session, tunnel, '')).toMatchObject({ status: 400 })
  await new Promise((settled) => session.ping(settled))
  expect(session.remoteSettings.enableConnectProtocol).toBe(false)
  const socket = { ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https', ':path': '/socket' }
  expect((await ask(session, socket, '')).status).not.toBe(200)
  expect(asked).toEqual([])
  expect((await ask(await opened(), { ':path': '/small' })).status).toBe(200)
})

it('refuses oversized headers', async () => {
  const session = await opened()
  const got = await ask(session, { ':path': '/', 'x-long': 'x'.repeat(100_000) })
  expect(got.status).toBe(undefined)
  expect(asked).toEqual([])
})

/** Builds an HTTP/2 frame (RFC 9113 4.1). */
function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.set([type, flags], 3)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

// Frames are built by hand, because Node's HTTP/2 client fails at this rate of resets.
it('closes a connection that opens and resets streams without end', async () => {
  const end = await secured()
  const over = new Promise((closed) => end.on('close', closed))
  end.on('error', () => undefined).resume()
  end.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, Buffer.alloc(0))]))
  // GET https /, from HPACK's static table (RFC 7541 A), followed by :authority as a literal.
  const name = 'site.example'
  const head = Buffer.concat([Buffer.from([0x82, 0x87, 0x84, 0x01, name.length]), Buffer.from(name)])
  const cancel = Buffer.from([0, 0, 0, constants.NGHTTP2_CANCEL])
  for (let stream = 1; stream < 4 * streamResetsMax; stream += 2)
    end.write(Buffer.concat([frame(1, 0x5, stream, head), frame(3, 0, stream, cancel)]))
  await over
  expect((await ask(await opened(), { ':path': '/small' })).status).toBe(200)
})

it('only a pending response and a body in transfer survive the idle limit', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const session = await opened()
  const over = new Promise((closed) => session.on('close', closed))
  const silence = () => vi.advanceTimersByTime(idleMsMax)
  const lasting = ask(session, { ':path': '/lasts' })
  await arrived.promise
  for (let time = 0; time < 3; time += 1) silence()
  released.resolve()
  expect(await lasting).toMatchObject({ status: 200 })
  const body = session.request({ ':path': '/endless' })
  body.on('error', () => undefined)
  for (let time = 0; time < 3; time += 1) {
    await once(body, 'readable')
    body.read()
    silence()
  }
  expect(session.destroyed).toBe(false)
  silence()
  silence()
  await over
})

/** Returns a weak reference to the server end of a session, after one request. */
async function serverEnd(session: ClientHttp2Session): Promise<WeakRef<object>> {
  const begun = Promise.withResolvers<WeakRef<object>>()
  const onBegun = (message: unknown) => {
    const { session: server } = (message as { stream: ServerHttp2Stream }).stream
    if (server) begun.resolve(new WeakRef(server))
  }
  subscribe('http2.server.stream.created', onBegun)
  await ask(session, { ':path': '/small' })
  unsubscribe('http2.server.stream.created', onBegun)
  // The recorded requests refer to their streams.
  asked.splice(0)
  return begun.promise
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

it.each<[how: string, end: (session: ClientHttp2Session) => void]>([
  ['drops the connection', (session) => session.destroy()],
  ['closes the session', (session) => session.close()],
  ['reports an error', (session) => session.goaway(constants.NGHTTP2_PROTOCOL_ERROR)],
])('is released when the browser %s', async (_, end) => {
  const session = await opened()
  const server = await serverEnd(session)
  end(session)
  await vi.waitFor(() => {
    collectGarbage()
    // A failing assertion on the object itself would keep it alive.
    expect(server.deref() === undefined).toBe(true)
  })
})

it('is closed with the viewer', async () => {
  const session = await opened()
  const waiting = ask(session, { ':path': '/waits' })
  await arrived.promise
  const over = new Promise((closed) => session.on('close', closed))
  await proxy.close()
  await over
  expect((await waiting).status).toBe(undefined)
  await abandoned.promise
})
