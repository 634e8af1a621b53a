import { once } from 'node:events'
import { mkdtemp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { operatorCaller } from '../../contract/calls/caller.ts'
import { message } from '../../contract/words/message.ts'
import { Fault, faults, type FaultCode } from '../../contract/calls/faults.ts'
import { call, event, servicesOver, type Services } from '../../contract/calls/service.ts'
import { httpLink, type HttpLink } from './httpLink.ts'
import { serveContract, type Served } from './httpServer.ts'
import { openPort } from './ports.ts'

/** A small example contract: a call that changes state, one that fails on request, and an event. */
const guestBook = {
  book: {
    sign: call(z.strictObject({ name: z.string().min(1) }), z.array(z.string())),
    fail: call(z.strictObject({ code: z.string() }), z.object({})),
    signed: event(z.object({ name: z.string() })),
  },
} as const

const names: string[] = []
const readers = new Set<(payload: { name: string }) => void>()
const services: Services<typeof guestBook> = {
  book: {
    sign: ({ name }) => {
      names.push(name)
      for (const reader of readers) reader({ name })
      return Promise.resolve(names)
    },
    fail: ({ code }) => {
      if (code === 'bug') throw new TypeError('of nothing')
      throw new Fault(code as FaultCode, `asked to be ${code}`)
    },
    signed: (onPayload) => {
      readers.add(onPayload)
      return () => readers.delete(onPayload)
    },
  },
}

const leastRoles = { book: { sign: 'curator', fail: 'viewer', signed: 'viewer' } } as const
const operator = operatorCaller('ada', 'server')
const token = 'correct horse'
const exportedName = "d\u00e9p\u00f4t d'hier.wacz"
const bugs: unknown[] = []
const passed: string[] = []
let folder: string
let served: Served
const links: HttpLink[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-http-'))
  await mkdir(join(folder, 'out', 'assets'), { recursive: true })
  await writeFile(join(folder, 'out', 'index.html'), '<title>Loupe</title>')
  await writeFile(join(folder, 'out', 'assets', 'a-1234.js'), 'void 0')
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(folder, exportedName), 'a package')
  served = await serveContract({
    version: '1',
    at: await openPort(0),
    contract: guestBook,
    ...{ services, leastRoles },
    admission: { token, operator },
    rendererFolder: join(folder, 'out'),
    passOn: {
      request: (asked, response) => {
        passed.push(`${asked.method} ${asked.url}`)
        response.end('from the viewer')
      },
      connect: (asked, socket) => {
        passed.push(`CONNECT ${asked.url}`)
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
      },
    },
    userAcls: (query) => {
      const user = query.get('username')
      if (user === 'bug') return Promise.reject(new TypeError('of nobody'))
      return Promise.resolve(
        user === null ? { status: 400, text: 'Wer?\u00e9\u20ac' } : { status: 200, text: `ID:${user}\n` },
      )
    },
    exported: (number) =>
      number === 1
        ? Promise.resolve(join(folder, exportedName))
        : Promise.reject(new Fault('notFound', `There is no export ${number}.`)),
    onBug: (error) => bugs.push(error),
    log: () => undefined,
  })
})

afterAll(async () => {
  for (const link of links) link.close()
  await served.close()
  await rm(folder, { recursive: true })
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface Asked {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

function ask({ method = 'GET', path, headers = {}, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: served.port, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response
        .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
        .on('error', reject)
    })
    asked.on('error', reject).end(body)
  })
}

const bearer = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const post = (name: string, input: unknown) =>
  ask({ method: 'POST', path: `/api/call/${name}`, headers: bearer, body: JSON.stringify({ input }) })

test('a call and its answer', async () => {
  const { status, text, headers } = await post('book.sign', { name: 'Ada' })
  expect([status, JSON.parse(text)]).toEqual([200, { value: ['Ada'] }])
  expect(headers['access-control-allow-origin']).toBeUndefined()
})

test.each(Object.entries(faults).filter(([code]) => code !== 'internal'))(
  'the fault %s has its status',
  async (code, { status }) => {
    const answer = await post('book.fail', { code })
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, { fault: { code, text: `asked to be ${code}` } }])
  },
)

const addressOf = async (number: number) => {
  const { text } = await ask({ method: 'POST', path: `/api/exported/${number}`, headers: bearer })
  return (JSON.parse(text) as { value: { address: string } }).value.address
}

test('an export is downloaded through an address that works once', async () => {
  const path = await addressOf(1)
  const { status, text, headers } = await ask({ path })
  expect([status, text]).toEqual([200, 'a package'])
  expect(headers).toMatchObject({
    'content-disposition': "attachment; filename*=UTF-8''d%C3%A9p%C3%B4t%20d%27hier.wacz",
    'content-type': 'application/octet-stream',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-length': '9',
  })
  expect((await ask({ path })).status).toBe(404)
})

test('a download first requires the token and its file', async () => {
  expect((await ask({ method: 'POST', path: '/api/exported/1' })).status).toBe(401)
  expect((await ask({ path: '/api/exported/1', headers: bearer })).status).toBe(404)
  expect((await ask({ method: 'POST', path: '/api/exported/2', headers: bearer })).text).toContain('no export 2')
  expect((await ask({ path: '/exported/guessed' })).status).toBe(404)
  expect((await ask({ path: await addressOf(1), headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  const path = await addressOf(1)
  await rename(join(folder, exportedName), join(folder, 'moved'))
  expect((await ask({ path })).status).toBe(404)
  const gone = await ask({ method: 'POST', path: '/api/exported/1', headers: bearer })
  expect(gone.text).toContain('no longer exists')
  await rename(join(folder, 'moved'), join(folder, exportedName))
})

test('a bug is reported to the caller and to the log', async () => {
  const answer = await post('book.fail', { code: 'bug' })
  expect(answer.status).toBe(500)
  expect(answer.text).toContain('Internal error in book.fail: of nothing')
  expect(bugs).toContainEqual(new TypeError('of nothing'))
})

const api = { method: 'POST', path: '/api/call/book.sign', headers: bearer, body: '{"input":{"name":"Eve"}}' }
test.each<[string, Asked, number, RegExp]>([
  ['no token', { ...api, headers: { 'content-type': 'application/json' } }, 401, /token/],
  ['a foreign origin', { ...api, headers: { ...bearer, origin: 'http://archived.example' } }, 403, /another origin/],
  ['a foreign site', { ...api, headers: { ...bearer, 'sec-fetch-site': 'cross-site' } }, 403, /another site/],
  ['a foreign host', { ...api, headers: { ...bearer, host: 'evil.example' } }, 403, /Host/],
  [
    'a preflight',
    { method: 'OPTIONS', path: '/api/call/book.sign', headers: { origin: 'http://archived.example' } },
    403,
    /another origin/,
  ],
  ['an unknown call', { ...api, path: '/api/call/book.burn' }, 404, /There is no call book\.burn/],
  ['an event called', { ...api, path: '/api/call/book.signed' }, 404, /There is no call book\.signed/],
  [
    'a name from the prototype',
    { ...api, path: '/api/call/constructor.name' },
    404,
    /There is no call constructor\.name/,
  ],
  ['a call by GET', { method: 'GET', path: api.path, headers: bearer }, 404, /There is no GET/],
  ['a form', { ...api, headers: { ...bearer, 'content-type': 'text/plain' } }, 400, /application\/json/],
  ['not JSON', { ...api, body: '{' }, 400, /not JSON/],
  ['no input', { ...api, body: '{}' }, 400, /book\.sign/],
  ['a wrong shape', { ...api, body: '{"input":{"name":""}}' }, 400, /book\.sign: name must not be empty\./],
  ['more than is needed', { ...api, body: '{"input":{"name":"Eve","age":5}}' }, 400, /book\.sign/],
  [
    'too much',
    { ...api, body: JSON.stringify({ input: { name: 'e'.repeat(5 * 1024 * 1024) } }) },
    400,
    /larger than 4194304 bytes/,
  ],
  ['a missing file', { path: '/assets/b.js' }, 404, /no such file/],
  ['path traversal', { path: '/../secret.txt' }, 404, /no such file/],
  ['path traversal, encoded', { path: '/%2e%2e/secret.txt' }, 404, /no such file/],
  ['path traversal, backslash', { path: '/..\\secret.txt' }, 404, /no such file/],
  ['path traversal from a subfolder', { path: '/assets/../../secret.txt' }, 404, /no such file/],
  ['a POST to a file', { method: 'POST', path: '/' }, 403, /only GET/],
])('%s is refused', async (_what, asked, status, text) => {
  const answer = await ask(asked)
  expect(answer.status).toBe(status)
  expect(answer.text).toMatch(text)
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  expect(names).not.toContain('Eve')
})

test('the interface, with its security headers', async () => {
  const index = await ask({ path: '/?x=1' })
  expect([index.status, index.text]).toEqual([200, '<title>Loupe</title>'])
  expect(index.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'no-cache',
  })
  expect(index.headers['content-security-policy']).toContain(
    "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-src http: https:",
  )
  const asset = await ask({ path: '/assets/a-1234.js' })
  expect(asset.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect((await ask({ method: 'HEAD', path: '/' })).text).toBe('')
})

test('an address that opens the interface once works from a page of another origin, once', async () => {
  const opening = new URL(served.openingUrl())
  expect(decodeURI(opening.hash)).toBe(`#token=${token}`)
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const path = `${opening.pathname}${opening.search}`
  expect((await ask({ path: '/', headers })).status).toBe(403)
  expect([(await ask({ path, headers })).status, (await ask({ path, headers })).status]).toEqual([200, 403])
  expect(new URL(served.openingUrl()).search).not.toBe(opening.search)
})

test('a missing build names the command to run', async () => {
  const bare = await serveContract({
    version: '1',
    at: await openPort(0),
    contract: guestBook,
    ...{ services, leastRoles },
    admission: { token, operator },
    rendererFolder: join(folder, 'nothing'),
    onBug: () => undefined,
    log: () => undefined,
  })
  const answer = await fetch(bare.origin)
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')])
  await bare.close()
})

test('requests for a proxy are passed on', async () => {
  expect((await ask({ path: 'http://example.com/a' })).text).toBe('from the viewer')
  const socket = await tunnel('example.com:443')
  expect(String(((await once(socket, 'data')) as [Buffer])[0])).toContain('200 OK')
  expect(passed).toEqual(['GET http://example.com/a', 'CONNECT example.com:443'])
  socket.destroy()
})

test('a missing proxy refuses', async () => {
  const bare = await serveContract({
    version: '1',
    at: await openPort(0),
    contract: guestBook,
    ...{ services, leastRoles },
    admission: { token, operator },
    onBug: () => undefined,
    log: () => undefined,
  })
  const socket = await tunnel('example.com:443', bare.port)
  expect(String(((await once(socket, 'data')) as [Buffer])[0])).toContain('403')
  await bare.close()
})

async function tunnel(target: string, port = served.port): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
  return socket
}

test('a port in use is reported in one sentence', async () => {
  await expect(openPort(served.port)).rejects.toEqual(
    new Fault('refused', message('server.portTaken', { port: served.port })),
  )
})

function linked(address = { origin: served.origin, token }) {
  const link = httpLink(address)
  links.push(link)
  return servicesOver(guestBook, link)
}

test('over the connection: calls, faults, and all events after subscribing', async () => {
  const { book } = linked()
  const heard = new Promise((resolve) => book.signed(resolve))
  expect(await book.sign({ name: 'Grace' })).toContain('Grace')
  expect(await heard).toEqual({ name: 'Grace' })
  await expect(book.fail({ code: 'noSpace' })).rejects.toEqual(new Fault('noSpace', 'asked to be noSpace'))
  await expect(book.sign({ name: '' })).rejects.toMatchObject({ code: 'badInput' })
})

test('a wrong token is refused', async () => {
  await expect(linked({ origin: served.origin, token: 'x' }).book.sign({ name: 'Eve' })).rejects.toMatchObject({
    code: 'notAllowed',
  })
})

test('without a server it is unreachable, and does not block calls', async () => {
  const { book } = linked({ origin: 'http://127.0.0.1:1', token })
  book.signed(() => undefined)
  await expect(book.sign({ name: 'Eve' })).rejects.toMatchObject({ code: 'unreachable' })
})

test('the event stream reconnects after the engine came back', async () => {
  const first = await serveContract({
    version: '1',
    at: await openPort(0),
    contract: guestBook,
    ...{ services, leastRoles },
    admission: { token, operator },
    onBug: () => undefined,
    log: () => undefined,
  })
  const { book } = linked({ origin: first.origin, token })
  const heard: string[] = []
  const twice = new Promise<void>((resolve) =>
    book.signed(({ name }) => {
      heard.push(name)
      if (name === 'after') resolve()
    }),
  )
  await book.sign({ name: 'before' })
  await first.close()
  const second = await serveContract({
    version: '1',
    at: await openPort(first.port),
    contract: guestBook,
    ...{ services, leastRoles },
    admission: { token, operator },
    onBug: () => undefined,
    log: () => undefined,
  })
  const again = setInterval(() => readers.forEach((reader) => reader({ name: 'after' })), 20)
  await twice
  clearInterval(again)
  expect(heard[0]).toBe('before')
  await second.close()
})

test('a listener that does not read is dropped', async () => {
  const socket = connect(served.port, '127.0.0.1')
  const before = readers.size
  socket.pause()
  socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await once(socket, 'readable')
  // Each listener has subscriptions of its own.
  const own = [...readers].at(-1)
  const name = 'x'.repeat(1024 * 1024)
  const closed = once(socket, 'close')
  for (let megabytes = 0; megabytes < 64; megabytes += 1) {
    own?.({ name })
    await new Promise(setImmediate)
  }
  socket.on('error', () => undefined).resume()
  await closed
  await expect.poll(() => readers.size).toBe(before)
})

test('the tokens of a user are sent as text, with the status that the answer has', async () => {
  const headers = { authorization: `Bearer ${token}` }
  const asked = (path: string, method = 'GET') => ask({ method, path, headers })
  expect(await asked('/UserACLs?username=a%20b')).toMatchObject({
    ...{ status: 200, text: 'ID:a b\n', headers: { 'content-type': 'text/plain; charset=ISO-8859-1' } },
  })
  expect(await asked('/UserACLs')).toMatchObject({ status: 400 })
  expect((await ask({ path: '/UserACLs?username=a' })).status).toBe(401)
  expect((await asked('/UserACLs?username=a', 'POST')).status).toBe(404)
  const before = bugs.length
  expect(await asked('/UserACLs?username=bug')).toMatchObject({ status: 500, text: '' })
  expect(bugs.length).toBe(before + 1)
})
