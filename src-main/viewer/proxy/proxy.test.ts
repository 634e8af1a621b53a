import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { realWorld } from '../../world/real.ts'
import { openCertificateAuthority, type CertificateAuthority } from '../certificates/certificateAuthority.ts'
import { requestContentBytesMax } from '../model/limits.ts'
import { openProxy, type Proxy } from './proxy.ts'
import { saying } from '../testing/viewerFixture.ts'
import type { BrowserRequest } from '../model/reply.ts'

let folder: string
let certificateAuthority: CertificateAuthority
let proxy: Proxy
const asked: BrowserRequest[] = []
const problems: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-proxy-'))
  certificateAuthority = await openCertificateAuthority({ folder, world: realWorld() })
  proxy = await openProxy({
    isKnown: () => true,
    port: 0,
    certificateAuthority,
    resolve: async (request) => {
      asked.push(request)
      if (request.url.endsWith('/unread')) return saying('unread')
      const content = await request.content()
      return saying(content === undefined ? 'too much' : `heard ${Buffer.from(content).toString()}`)
    },
    onProblem: (error) => problems.push(String(error)),
  })
})
beforeEach(() => asked.splice(0))
afterAll(async () => {
  await proxy.close()
  await rm(folder, { recursive: true })
  expect(problems).toEqual([])
})

const open = () => connect({ host: proxy.host, port: proxy.port })
const credentials = `Basic ${Buffer.from('zwölf:secret').toString('base64')}`

/** Returns all bytes received until the server closes the connection. */
function heard(socket: Socket, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = ''
    socket.on('data', (bytes: Buffer) => (all += bytes.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(all))
    socket.write(text)
  })
}

async function tunnel(target: string, authorization?: string): Promise<Socket> {
  const socket = open()
  const field = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${field}\r\n`)
  await new Promise((established) => socket.once('data', established))
  return socket
}

const get = (target: string, field = '') =>
  `GET ${target} HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n${field}\r\n`

it('passes on the credentials and hides them from the links of the chain', async () => {
  await heard(open(), get('http://site.example/', `Proxy-Authorization: ${credentials}\r\n`))
  await heard(open(), get('http://site.example/', 'Proxy-Authorization: Basic ???\r\n'))
  await heard(open(), get('http://site.example/'))
  expect(asked.map((request) => request.credentials)).toEqual([
    { user: 'zwölf', password: 'secret' },
    undefined,
    undefined,
  ])
  for (const { fields } of asked) expect(fields).not.toHaveProperty('proxy-authorization')
})

it('every request in a tunnel has the credentials that opened it, whatever the request contains', async () => {
  const other = `Proxy-Authorization: Basic ${Buffer.from('other:x').toString('base64')}\r\n`
  await heard(await tunnel('site.example:80', credentials), get('/', other))
  await heard(await tunnel('site.example:80'), get('/', other))
  const secure = connectTls({
    socket: await tunnel('site.example:443', credentials),
    ca: certificateAuthority.pem,
    servername: 'site.example',
  })
  await heard(secure, get('/', other))
  expect(asked.map((request) => [request.url, request.credentials?.user])).toEqual([
    ['http://site.example/', 'zwölf'],
    ['http://site.example/', undefined],
    ['https://site.example/', 'zwölf'],
  ])
  for (const { fields } of asked) expect(fields).not.toHaveProperty('proxy-authorization')
})

const post = (path: string, body: string) =>
  `POST http://site.example${path} HTTP/1.1\r\nHost: site.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const chunked = (body: string) =>
  `POST http://site.example/ HTTP/1.1\r\nHost: site.example\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const tooMuch = 'x'.repeat(requestContentBytesMax + 1)

const checkContent = (what: string, text: string, expected: string) =>
  it(`${what}, and the connection continues`, async () => {
    const all = await heard(open(), text + get('http://site.example/next'))
    expect([...all.matchAll(/\r\n\r\n([^\n]+)\n/g)].map(([, sentence]) => sentence)).toEqual([expected, 'heard '])
    expect(asked.at(-1)?.url).toBe('http://site.example/next')
  })

checkContent('content is read', post('/', 'a=b'), 'heard a=b')
checkContent('chunked content is read', chunked('a=b'), 'heard a=b')
checkContent('content that the handler does not read is discarded', post('/unread', 'a=b'), 'unread')
checkContent('oversized content that the handler does not read is discarded', post('/unread', tooMuch), 'unread')
checkContent('oversized content is not kept', post('/', tooMuch), 'too much')
checkContent('oversized chunked content is not kept', chunked(tooMuch), 'too much')
checkContent(
  'a request without content has empty content',
  'GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\n\r\n',
  'heard ',
)

const beginnings = [
  get('http://site.example/'),
  post('/', 'a=b'),
  chunked('a=b'),
  'CONNECT site.example:443 HTTP/1.1\r\nHost: site.example\r\n\r\n',
  `CONNECT site.example:80 HTTP/1.1\r\nHost: site.example\r\n\r\n${get('/')}`,
  'CONNECT site.example:443 HTTP/1.1\r\nHost: site.example\r\n\r\n\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03',
]

it('any input, truncated anywhere, gets a response or closes the connection', async () => {
  const noise = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...beginnings), fc.nat(), fc.nat(), noise, async (whole, from, length, other) => {
      const at = from % (whole.length + 1)
      const sent = whole.slice(0, at) + other + (length % 2 ? whole.slice(at + (length % 9)) : '')
      const socket = open()
      // The server may close the connection first.
      socket.on('error', () => undefined).resume()
      const over = new Promise((closed) => socket.on('close', closed))
      socket.end(Buffer.from(sent, 'latin1'))
      await over
    }),
    { numRuns: 300 },
  )
})
