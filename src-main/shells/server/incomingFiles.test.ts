import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openIncoming } from '../../app/folders/incoming.ts'
import { realWorld } from '../../world/real.ts'
import { operatorCaller } from '../../contract/calls/caller.ts'
import { serveContract, type Served } from './httpServer.ts'
import { openPort } from './ports.ts'

const token = 'correct horse'
const operator = operatorCaller('ada', 'server')
const bugs: unknown[] = []
let folder: string
let served: Served
let importing: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-incoming-'))
  const incoming = await openIncoming({ world: realWorld(), folder, importing: () => importing })
  const none = {
    contract: {},
    services: {},
    leastRoles: {},
    admission: { operator, token },
    incoming,
    log: () => undefined,
  }
  served = await serveContract({ version: '1', ...none, at: await openPort(0), onBug: (error) => bugs.push(error) })
})

beforeEach(() => {
  importing = []
})

afterAll(async () => {
  await served.close()
  await rm(folder, { recursive: true })
  expect(bugs).toEqual([])
})

interface Asked {
  method?: string
  range?: string
  body?: string
  headers?: Record<string, string>
}

async function ask(name: string, { method = 'PUT', range, body, headers = {} }: Asked) {
  const response = await fetch(`${served.origin}/incoming/${name}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(range ? { 'content-range': range } : {}), ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, reply: await response.json() }
}

test('a file arrives in pieces, and the last answer has its path', async () => {
  expect(await ask('a.warc', { range: 'bytes 0-4/11', body: 'WARC/' })).toEqual({
    status: 200,
    reply: { value: { path: null } },
  })
  expect(await ask('a.warc', { range: 'bytes 5-10/11', body: '1.1 \r\n' })).toEqual({
    status: 200,
    reply: { value: { path: join(folder, 'a.warc') } },
  })
  expect(await readFile(join(folder, 'a.warc'), 'utf8')).toBe('WARC/1.1 \r\n')
})

test('a first piece starts the file again', async () => {
  await ask('again.warc', { range: 'bytes 0-2/6', body: 'old' })
  await ask('again.warc', { range: 'bytes 0-2/6', body: 'new' })
  await ask('again.warc', { range: 'bytes 3-5/6', body: 'est' })
  expect(await readFile(join(folder, 'again.warc'), 'utf8')).toBe('newest')
})

test('a name with spaces and other letters is only a name', async () => {
  const { status } = await ask(encodeURIComponent('zwölf Küsten (1).warc'), { range: 'bytes 0-2/3', body: 'abc' })
  expect(status).toBe(200)
  expect(await readdir(folder)).toContain('zwölf Küsten (1).warc')
})

test('a cancelled file is removed, complete or partial', async () => {
  await ask('part.warc', { range: 'bytes 0-2/6', body: 'abc' })
  await ask('whole.warc', { range: 'bytes 0-2/3', body: 'abc' })
  for (const name of ['part.warc', 'whole.warc', 'never.warc'])
    expect((await ask(name, { method: 'DELETE' })).status).toBe(200)
  expect((await readdir(folder)).filter((name) => /part|whole|never/.test(name))).toEqual([])
})

test('a file that is stopped during a piece can be removed at once', async () => {
  const asked = request({
    host: '127.0.0.1',
    port: served.port,
    method: 'PUT',
    path: '/incoming/stopped.warc',
    headers: { authorization: `Bearer ${token}`, 'content-range': 'bytes 0-8/9', 'content-length': '9' },
  })
  asked.on('error', () => undefined).write('abc')
  await expect.poll(() => readdir(folder)).toContain('.stopped.warc.part')
  const taken = ask('stopped.warc', { method: 'DELETE' })
  asked.destroy()
  expect((await taken).status).toBe(200)
  expect((await readdir(folder)).filter((name) => name.includes('stopped'))).toEqual([])
})

test('a file that an import reads is neither overwritten nor removed', async () => {
  await ask('wanted.warc', { range: 'bytes 0-2/3', body: 'abc' })
  importing = [join(folder, 'wanted.warc')]
  const { status, reply } = await ask('wanted.warc', { range: 'bytes 0-2/3', body: 'xyz' })
  expect([status, JSON.stringify(reply)]).toEqual([423, expect.stringContaining('An import is taking in')])
  await ask('wanted.warc', { method: 'DELETE' })
  expect(await readFile(join(folder, 'wanted.warc'), 'utf8')).toBe('abc')
})

test('a connection that breaks during a piece leaves the previous pieces', async () => {
  await ask('broken.warc', { range: 'bytes 0-2/9', body: 'abc' })
  await new Promise<void>((resolve) => {
    const asked = request({
      host: '127.0.0.1',
      port: served.port,
      method: 'PUT',
      path: '/incoming/broken.warc',
      headers: { authorization: `Bearer ${token}`, 'content-range': 'bytes 3-8/9', 'content-length': '6' },
    })
    asked.on('error', () => undefined).on('close', resolve)
    asked.write('de', () => asked.destroy())
  })
  // The name stays busy until the server sees the end of the connection.
  await expect.poll(async () => (await ask('broken.warc', { range: 'bytes 3-8/9', body: 'defghi' })).status).toBe(200)
  expect(await readFile(join(folder, 'broken.warc'), 'utf8')).toBe('abcdefghi')
})

test.each<[string, string, Asked, number, RegExp]>([
  ['no range', 'x.warc', { body: 'abc' }, 400, /Content-Range/],
  ['a range of nothing', 'x.warc', { range: 'bytes */0', body: '' }, 400, /Content-Range/],
  ['a range after the end', 'x.warc', { range: 'bytes 0-9/5', body: 'abc' }, 400, /Content-Range/],
  ['a piece too large', 'x.warc', { range: 'bytes 0-999999999/1000000000', body: 'abc' }, 400, /may have/],
  ['a short body', 'x.warc', { range: 'bytes 0-5/6', body: 'abc' }, 400, /shorter/],
  ['a long body', 'x.warc', { range: 'bytes 0-1/9', body: 'abc' }, 400, /longer/],
  ['a gap', 'x.warc', { range: 'bytes 7-8/9', body: 'ab' }, 409, /up to byte 0/],
  ['no room', 'x.warc', { range: 'bytes 0-1/900000000000000', body: 'ab' }, 507, /make room/],
  ['a way out', '..%2fx.warc', { range: 'bytes 0-1/2', body: 'ab' }, 400, /dot/],
  ['a folder', 'a%2fx.warc', { range: 'bytes 0-1/2', body: 'ab' }, 400, /character/],
  ['a stream of NTFS', 'x.warc%3Aads', { range: 'bytes 0-1/2', body: 'ab' }, 400, /character/],
  ['no name', '', { range: 'bytes 0-1/2', body: 'ab' }, 400, /empty/],
  ['half a character', '%e4', { range: 'bytes 0-1/2', body: 'ab' }, 400, /percent/],
  ['a long name', 'x'.repeat(300), { range: 'bytes 0-1/2', body: 'ab' }, 400, /longer than/],
  ['another method', 'x.warc', { method: 'POST', body: 'ab' }, 404, /There is no POST/],
  ['no token', 'x.warc', { range: 'bytes 0-1/2', body: 'ab', headers: { authorization: '' } }, 401, /token/],
  [
    'another site',
    'x.warc',
    { range: 'bytes 0-1/2', body: 'ab', headers: { 'sec-fetch-site': 'cross-site' } },
    403,
    /another site/,
  ],
])('%s is refused', async (_what, name, asked, status, text) => {
  const before = await readdir(folder)
  const answer = await ask(name, asked)
  expect([answer.status, JSON.stringify(answer.reply)]).toEqual([status, expect.stringMatching(text)])
  expect((await readdir(folder)).filter((entry) => !entry.startsWith('.'))).toEqual(
    before.filter((entry) => !entry.startsWith('.')),
  )
})

test('a start removes files that no import needs', async () => {
  const own = await mkdtemp(join(tmpdir(), 'loupe-leftovers-'))
  const world = realWorld()
  for (const name of ['wanted.warc', 'forgotten.warc', '.half.warc.part'])
    await world.disk.write(join(own, name), Buffer.from('abc'))
  await openIncoming({ world, folder: own, importing: () => [join(own, 'wanted.warc')] })
  expect(await readdir(own)).toEqual(['wanted.warc'])
  await rm(own, { recursive: true })
})
