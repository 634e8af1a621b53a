/** A port for accounts, over real HTTP and TLS on loopback: logging in, roles, and what attackers try. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openAccounts, openLogIns, openSessions } from '../../access/access.ts'
import { operatorCaller, type Caller, type Role } from '../../contract/calls/caller.ts'
import { call, event, type Implementation } from '../../contract/calls/service.ts'
import { openStore } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { serveContract, type Served } from './httpServer.ts'
import { openPort } from './ports.ts'
import { openPublicPort } from './publicPort.ts'

const notes = {
  notes: {
    who: call(z.object({}), z.object({ account: z.string(), shell: z.string(), address: z.string() })),
    write: call(z.object({}), z.object({})),
    written: event(z.object({})),
  },
} as const
const leastRoles = { notes: { who: 'viewer', write: 'curator', written: 'curator' } } as const

const listeners = new Set<(payload: Record<string, never>) => void>()
const services: Implementation<typeof notes> = {
  notes: {
    who: async (_, { account, shell, address }) => ({ account, shell, address }),
    async write() {
      for (const listener of listeners) listener({})
      return {}
    },
    written: (onPayload) => (listeners.add(onPayload), () => void listeners.delete(onPayload)),
  },
}

const world = realWorld()
const store = openStore(':memory:')
const accounts = openAccounts({ store, world, onAction: () => undefined })
const sessions = openSessions({ store, world, limits: () => ({ idleMs: 3_600_000, totalMs: 36_000_000 }) })
const logIns = openLogIns({ accounts, sessions, clock: world.clock })
const door = { ...logIns, isAny: () => accounts.list().length > 0 }
const password = 'correct horse battery staple'
const operatorToken = 'token of this start'
const bugs: unknown[] = []
const logged: string[] = []
let folder: string
let served: Served
let local: Served

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-accounts-'))
  await writeFile(join(folder, 'index.html'), '<title>Loupe</title>')
  const offered = { contract: notes, services, leastRoles, version: '1', rendererFolder: folder }
  const reports = { onBug: (error: unknown) => bugs.push(error), log: (text: string) => logged.push(text) }
  const setting = { host: '127.0.0.1', port: 0, names: ['loupe.example'], tls: undefined, isInsecure: false }
  served = await serveContract({
    ...offered,
    ...reports,
    at: await openPublicPort(setting),
    admission: { accounts: door },
  })
  const admission = { token: operatorToken, operator: operatorCaller('root', 'server') }
  local = await serveContract({ ...offered, ...reports, at: await openPort(0), admission })
  for (const [name, roles] of [
    ['Bea', ['viewer']],
    ['Cora', ['curator']],
  ] as [string, Role[]][])
    await accounts.add({ name, roles, password })
})
afterAll(async () => {
  await served.close()
  await local.close()
  store.close()
  await rm(folder, { recursive: true })
  expect(bugs).toEqual([])
})

interface Answer {
  status: number
  value?: unknown
  code?: string
}

async function ask(path: string, init: RequestInit & { at?: Served } = {}): Promise<Answer> {
  const { at = served, ...request } = init
  const response = await fetch(`http://127.0.0.1:${at.port}${path}`, request)
  const text = await response.text()
  if (!text.startsWith('{')) return { status: response.status }
  const body = JSON.parse(text) as { value?: unknown; fault?: { code: string } }
  return { status: response.status, value: body.value, ...(body.fault && { code: body.fault.code }) }
}

const json = { 'content-type': 'application/json' }
const logIn = (input: unknown, headers: Record<string, string> = {}) =>
  ask('/api/login', { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify({ input }) })
const called = (name: string, token: string, headers: Record<string, string> = {}) =>
  ask(`/api/call/${name}`, {
    ...{ method: 'POST', body: JSON.stringify({ input: {} }) },
    headers: { ...json, authorization: `Bearer ${token}`, ...headers },
  })
async function tokenFor(name: string): Promise<string> {
  const { value } = await logIn({ name, password })
  return (value as { token: string }).token
}

test('an account logs in, makes the calls of its roles, and logs out', async () => {
  expect(await ask('/api/login')).toMatchObject({ status: 200, value: { isAny: true } })
  const token = await tokenFor('bea')
  expect(await called('notes.who', token)).toMatchObject({
    value: { account: 'Bea', shell: 'window', address: '127.0.0.1' },
  })
  expect(await called('notes.write', token)).toMatchObject({ status: 403, code: 'notAllowed' })
  expect(await called('notes.write', await tokenFor('Cora'))).toMatchObject({ status: 200 })
  expect((await ask('/api/login', { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })).status).toBe(
    200,
  )
  expect((await called('notes.who', token)).status).toBe(401)
})

test('an event that needs the role of a curator reaches no viewer', async () => {
  const stream = async (token: string) => {
    const response = await fetch(`http://127.0.0.1:${served.port}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const reader = response.body?.getReader()
    if (!reader) throw new Error('there is a stream')
    await reader.read()
    return reader
  }
  const before = listeners.size
  const [viewer, curator] = [await stream(await tokenFor('Bea')), await stream(await tokenFor('Cora'))]
  expect(listeners.size).toBe(before + 1)
  await viewer.cancel()
  await curator.cancel()
})

describe('attacks', () => {
  test('the token of this start, and made up ones, permit nothing where others reach the server', async () => {
    expect(await called('notes.who', operatorToken)).toMatchObject({ status: 401 })
    expect(await called('notes.who', 'x'.repeat(43))).toMatchObject({ status: 401 })
    expect((await ask('/api/events', { headers: { authorization: 'Basic cm9vdDpyb290' } })).status).toBe(401)
  })

  test('the port of this machine admits no account', async () => {
    const request = { method: 'POST', headers: json, body: JSON.stringify({ input: { name: 'Bea', password } }) }
    expect((await ask('/api/login', { ...request, at: local })).status).toBe(401)
    const token = await tokenFor('Bea')
    const headers = { ...json, authorization: `Bearer ${token}` }
    expect((await ask('/api/call/notes.who', { method: 'POST', headers, body: '{}', at: local })).status).toBe(401)
  })

  test('forged headers of a proxy change nobody', async () => {
    const token = await tokenFor('Bea')
    const forged = {
      'x-forwarded-user': 'Cora',
      'remote-user': 'Cora',
      'x-forwarded-for': '203.0.113.9',
      'loupe-shell': 'server',
    }
    expect(await called('notes.who', token, forged)).toMatchObject({ value: { account: 'Bea', shell: 'window' } })
    expect((await called('notes.write', token, forged)).status).toBe(403)
  })

  test('a log-in gives a new session, whatever the client brings', async () => {
    const fixed = 'a'.repeat(43)
    const { value } = await logIn(
      { name: 'Bea', password },
      { authorization: `Bearer ${fixed}`, cookie: `token=${fixed}` },
    )
    expect((value as { token: string }).token).not.toBe(fixed)
    expect((await called('notes.who', fixed)).status).toBe(401)
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another origin', { origin: 'http://evil.example' }],
    ['a sandboxed archived page', { origin: 'null' }],
  ])('%s cannot log in or call, even with a token', async (_, headers) => {
    expect((await logIn({ name: 'Bea', password }, headers)).status).toBe(403)
    expect((await called('notes.who', await tokenFor('Bea'), headers)).status).toBe(403)
  })

  test('no cookie is set or read', async () => {
    const request = { method: 'POST', headers: json, body: JSON.stringify({ input: { name: 'Bea', password } }) }
    const response = await fetch(`http://127.0.0.1:${served.port}/api/login`, request)
    expect(response.headers.get('set-cookie')).toBeNull()
    const { value } = (await response.json()) as { value: { token: string } }
    const cookie = { cookie: `loupe.token=${value.token}` }
    expect(
      (await ask('/api/call/notes.who', { method: 'POST', headers: { ...json, ...cookie }, body: '{}' })).status,
    ).toBe(401)
  })

  test.each<[string, () => unknown]>([
    ['its account is removed', () => accounts.remove('Eve')],
    ['its account gets another password', () => accounts.setPassword('Eve', `${password} 2`)],
    [
      'an administrator revokes it',
      () => sessions.list().forEach(({ session, account }) => account === 'Eve' && sessions.revoke(session)),
    ],
  ])('a token is worth nothing when %s', async (_, end) => {
    await accounts.add({ name: 'Eve', roles: ['administrator'], password })
    const token = await tokenFor('Eve')
    expect((await called('notes.who', token)).status).toBe(200)
    await end()
    expect((await called('notes.who', token)).status).toBe(401)
    if (accounts.list().some(({ name }) => name === 'Eve')) accounts.remove('Eve')
  })

  test('what is no name and password is refused like a wrong one, and the log has no password', async () => {
    for (const input of [null, 'x', { name: 1, password }, { name: 'Bea' }, { name: 'x'.repeat(300), password }])
      expect(await logIn(input)).toMatchObject({ status: 400, code: 'badInput' })
    expect(await logIn({ name: 'nobody', password: 'my secret password' })).toMatchObject({ code: 'notAllowed' })
    expect(logged.join('\n')).toContain('refused a log-in from')
    expect(logged.join('\n')).not.toContain('my secret password')
  })

  // Last, since it makes this address wait.
  test('a password sprayed over many accounts is stopped', async () => {
    const codes: (string | undefined)[] = []
    for (let attempt = 0; codes.at(-1) !== 'refused' && attempt < 30; attempt += 1)
      codes.push((await logIn({ name: `user${attempt}`, password: 'Spring2026!Spring' })).code)
    expect(codes.at(-1)).toBe('refused')
    expect(await logIn({ name: 'Bea', password })).toMatchObject({ code: 'refused' })
  })
})

describe('the public port', () => {
  const quiet = { contract: notes, services, leastRoles, version: '1', onBug: () => undefined, log: () => undefined }
  const setting = { host: '0.0.0.0', port: 0, names: ['loupe.example'], tls: undefined, isInsecure: false }

  test.each<[string, Partial<typeof setting>, RegExp]>([
    ['without TLS', {}, /in the clear/],
    ['without a name', { names: [], isInsecure: true }, /Say with --name/],
    ['with a name that is none', { names: ['a b'], isInsecure: true }, /neither a host/],
    ['an address of another machine', { host: '192.0.2.1', isInsecure: true }, /no address 192\.0\.2\.1/],
  ])('%s is refused', async (_, changes, problem) => {
    await expect(openPublicPort({ ...setting, ...changes })).rejects.toThrow(problem)
  })

  test('without TLS is opened where that is accepted, and answers to its names only', async () => {
    const at = await openPublicPort({ ...setting, isInsecure: true })
    expect([at.origin, at.origins]).toEqual([`http://loupe.example:${at.port}`, [`http://loupe.example:${at.port}`]])
    at.server.close()
  })

  test('behind a server with TLS is reached by the name and origin of that server', async () => {
    const at = await openPublicPort({ ...setting, host: '127.0.0.1', names: ['https://Loupe.Example'] })
    const behind = await serveContract({ ...quiet, at, admission: { accounts: door } })
    const statusBy = async (headers: Record<string, string>) => {
      const asked = request(`http://127.0.0.1:${at.port}/api/login`, { headers })
      const answered = once(asked, 'response') as Promise<[IncomingMessage]>
      asked.end()
      const [response] = await answered
      response.resume()
      return response.statusCode
    }
    expect(at.origin).toBe('https://loupe.example')
    const statuses: (number | undefined)[] = []
    for (const headers of [
      { host: 'loupe.example', origin: 'https://loupe.example' },
      { host: 'loupe.example:443' },
      { host: 'loupe.example', origin: 'http://loupe.example' },
      { host: 'loupe.example:80' },
      { host: 'loupe.example.evil.example' },
    ])
      statuses.push(await statusBy(headers))
    expect(statuses).toEqual([200, 200, 403, 403, 403])
    await behind.close()
  })

  test('with TLS answers over TLS, and says which file is wrong', async () => {
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
    await promisify(execFile)('openssl', [...words, ...subject, '-keyout', key, '-out', certificate])
    const at = await openPublicPort({ ...setting, host: '127.0.0.1', names: [], tls: { certificate, key } })
    const secure = await serveContract({ ...quiet, at, admission: { accounts: door } })
    const status = await new Promise((resolve, reject) => {
      get(`${secure.origin}/api/login`, { rejectUnauthorized: false }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).on('error', reject)
    })
    expect([secure.origin, status]).toEqual([`https://127.0.0.1:${at.port}`, 200])
    await secure.close()
    const wrong = { ...setting, host: '127.0.0.1' }
    await expect(openPublicPort({ ...wrong, tls: { certificate: key, key } })).rejects.toThrow('cannot be used')
    await expect(openPublicPort({ ...wrong, tls: { certificate, key: `${key}.absent` } })).rejects.toThrow(
      'cannot be read',
    )
  })
})

/** The caller of a port for accounts never has the rights of the operator. */
test('callers of sessions have their address, and so are none of this machine', () => {
  const token = sessions.begin({ account: 'Bea', address: '127.0.0.1', client: '' })
  const caller: Caller | undefined = logIns.callerOf(token, '127.0.0.1')
  expect(caller).toMatchObject({ account: 'Bea', roles: ['viewer'], address: '127.0.0.1' })
})
