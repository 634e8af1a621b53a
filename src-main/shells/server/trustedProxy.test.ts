/** A server in front of the port for accounts: what it may say, and what clients try without it. Over real HTTP on loopback, and with a real nginx
 *  where it is installed (Debian: apt-get install nginx-light). */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openAccounts, openLogIns, openSessions } from '../../access/access.ts'
import type { AccountsDoor } from '../../app/services/accountsService.ts'
import { isOfThisMachine } from '../../contract/calls/caller.ts'
import { call, type Implementation } from '../../contract/calls/service.ts'
import { openStore } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { freePort } from '../testing/freePort.ts'
import { serveContract, type Served } from './httpServer.ts'
import { openPublicPort } from './publicPort.ts'
import { clientAddress, trustedProxy, type TrustedProxySetting } from './trustedProxy.ts'

const notes = {
  notes: {
    who: call(z.object({}), z.object({ account: z.string(), address: z.string() })),
    write: call(z.object({}), z.object({})),
  },
} as const
const services: Implementation<typeof notes> = {
  notes: { who: async (_, { account, address }) => ({ account, address }), write: async () => ({}) },
}

test('a client whose connection has ended is not taken for the machine of the engine', () => {
  const address = clientAddress({ headersDistinct: {}, socket: new Socket() }, undefined)
  expect([address, isOfThisMachine({ address })]).toEqual(['unknown', false])
})

const secret = 'a1'.repeat(24)
const password = 'correct horse battery staple'
const world = realWorld()
const store = openStore(':memory:')
const accounts = openAccounts({ store, world, onAction: () => undefined })
const sessions = openSessions({ store, world, limits: () => ({ idleMs: 3_600_000, totalMs: 36_000_000 }) })
const isAny = () => accounts.list().length > 0
const door = { ...openLogIns({ accounts, sessions, clock: world.clock }), isAny }
/** Every password is wrong at once, because checking takes long on purpose. */
const wrongAlways = { find: accounts.find, verified: async () => undefined }
const doorOfGuesses = { ...openLogIns({ accounts: wrongAlways, sessions, clock: world.clock }), isAny }
const logged: string[] = []
const bugs: unknown[] = []
let folder: string
let secretFile: string
/** The server in front logs accounts in. */
let naming: Served
/** The server in front only forwards: accounts log in with their password. */
let forwarding: Served

async function served(accountsDoor: AccountsDoor, setting: Partial<TrustedProxySetting>): Promise<Served> {
  const at = { host: '127.0.0.1', port: 0, names: ['loupe.example'], tls: undefined, isInsecure: false }
  return serveContract({
    ...{ contract: notes, services, leastRoles: { notes: { who: 'viewer', write: 'curator' } }, version: '1' },
    ...{ onBug: (error) => bugs.push(error), log: (text) => logged.push(text), rendererFolder: folder },
    at: await openPublicPort(at),
    admission: { accounts: accountsDoor, proxy: await trustedProxy({ secretFile, ...setting }) },
  })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-proxy-'))
  await writeFile(join(folder, 'index.html'), '<title>Loupe</title>')
  secretFile = join(folder, 'secret')
  await writeFile(secretFile, `${secret}\n`, { mode: 0o600 })
  naming = await served(door, { accountHeader: 'X-Remote-User' })
  forwarding = await served(doorOfGuesses, {})
  await accounts.add({ name: 'Bea', roles: ['viewer'], password })
  await accounts.add({ name: 'Zoë', roles: ['curator'], password })
})
afterAll(async () => {
  await naming.close()
  await forwarding.close()
  store.close()
  await rm(folder, { recursive: true })
  expect(bugs).toEqual([])
})

interface Answer {
  status: number | undefined
  text: string
}

/** Sends fields exactly as they are written here: several with one name, and any case. */
async function send(
  at: number,
  target: string,
  fields: [string, string][],
  method = 'POST',
  body = '{"input":{}}',
): Promise<Answer> {
  const headers = [['Content-Type', 'application/json'], ...fields].flat()
  const host = fields.some(([name]) => name === 'Host') ? [] : ['Host', `127.0.0.1:${at}`]
  const asked = request({ host: '127.0.0.1', port: at, path: target, method, headers: [...host, ...headers] })
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>
  asked.end(method === 'POST' ? body : undefined)
  const [response] = await answered
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += String(piece)
  return { status: response.statusCode, text }
}

const who = (...fields: [string, string][]) => send(naming.port, '/api/call/notes.who', fields)
const proof: [string, string] = ['Loupe-Proxy-Secret', secret]
const named = (name: string): [string, string] => ['X-Remote-User', name]
const valueOf = ({ text }: Answer): unknown => (JSON.parse(text) as { value: unknown }).value

test('the server in front names the account of each request, with its roles in Loupe', async () => {
  expect(valueOf(await who(proof, named('Bea')))).toEqual({ account: 'Bea', address: '127.0.0.1' })
  // In any case, and in UTF-8, as nginx sends it.
  expect(valueOf(await who(proof, named('BEA')))).toMatchObject({ account: 'Bea' })
  expect(valueOf(await who(proof, named(Buffer.from('Zoë').toString('latin1'))))).toMatchObject({ account: 'Zoë' })
  expect((await send(naming.port, '/api/call/notes.write', [proof, named('Bea')])).status).toBe(403)
  expect((await send(naming.port, '/', [proof, named('Bea')], 'GET')).text).toContain('<title>Loupe')
})

test('the interface is told who is logged in, and cannot log in or out here', async () => {
  const offer = await send(naming.port, '/api/login', [proof, named('bea')], 'GET')
  expect(valueOf(offer)).toEqual({ isAny: true, account: 'Bea', provider: null })
  for (const method of ['POST', 'DELETE']) {
    const answer = await send(
      naming.port,
      '/api/login',
      [proof, named('Bea')],
      method,
      JSON.stringify({ input: { name: 'Bea', password } }),
    )
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('Use its own log-in')])
  }
})

describe('forged headers', () => {
  test.each<[string, [string, string][]]>([
    ['without the secret', [named('Bea')]],
    ['with a wrong secret', [['Loupe-Proxy-Secret', secret.replace('a', 'b')], named('Bea')]],
    ['with the beginning of the secret', [['Loupe-Proxy-Secret', secret.slice(0, -1)], named('Bea')]],
    ['with an empty secret', [['Loupe-Proxy-Secret', ''], named('Bea')]],
    ['with the secret in another case', [['Loupe-Proxy-Secret', secret.toUpperCase()], named('Bea')]],
    ['with the secret twice', [proof, proof, named('Bea')]],
    ['with the secret next to a wrong one', [proof, ['Loupe-Proxy-Secret', 'x'], named('Bea')]],
    ['with both secrets in one field', [['Loupe-Proxy-Secret', `${secret}, x`], named('Bea')]],
    ['with the secret in a field with underscores', [['Loupe_Proxy_Secret', secret], named('Bea')]],
    ['with the secret as a token', [['Authorization', `Bearer ${secret}`], named('Bea')]],
    ['with the secret as a cookie', [['Cookie', `loupe-proxy-secret=${secret}`], named('Bea')]],
  ])('%s are refused, with one reason', async (_, fields) => {
    const { status, text } = await who(...fields)
    expect([status, text]).toEqual([403, expect.stringContaining('does not come from that server')])
    expect((await send(naming.port, '/', fields, 'GET')).status).toBe(403)
    expect((await send(naming.port, '/api/events', fields, 'GET')).status).toBe(403)
    expect((await send(naming.port, '/api/login', fields, 'GET')).status).toBe(403)
  })

  test.each<[string, [string, string][], RegExp]>([
    ['an empty name', [named('')], /did not say which account/],
    ['a name of spaces', [named('  ')], /did not say which account/],
    ['no name', [], /did not say which account/],
    ['two names', [named('Bea'), named('Zoë')], /did not say which account/],
    ['the same name twice', [named('Bea'), named('Bea')], /did not say which account/],
    ['a name in a field with underscores', [['X_Remote_User', 'Bea']], /did not say which account/],
    ['a name in another field', [['X-Forwarded-User', 'Bea']], /did not say which account/],
    ['two names in one field', [named('Bea, Zoë')], /no account with this name/],
    ['a name that goes on', [named('Bea%00')], /no account with this name/],
    ['a pattern', [named('%')], /no account with this name/],
    ['a name that is no account', [named('mallory')], /you are logged in as mallory, .*loupe accounts add/],
  ])('the secret with %s opens nothing', async (_, fields, reason) => {
    const { status, text } = await who(proof, ...fields)
    expect([status, text]).toEqual([403, expect.stringMatching(reason)])
    const page = await send(naming.port, '/', [proof, ...fields], 'GET')
    expect([page.status, page.text]).toEqual([403, expect.stringMatching(reason)])
  })

  test('the token of a session opens nothing here', async () => {
    const token = sessions.begin({ account: 'Bea', address: '', client: '' })
    expect((await who(['Authorization', `Bearer ${token}`])).status).toBe(403)
    expect((await who(proof, ['Authorization', `Bearer ${token}`])).status).toBe(403)
  })

  test('a page of another site cannot act through the log-in of the browser', async () => {
    for (const foreign of [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Origin', 'http://evil.example'],
      ['Origin', 'null'],
      ['Host', 'evil.example'],
    ] as [string, string][])
      expect((await who(proof, named('Bea'), foreign)).status).toBe(403)
  })

  test('the log has no secret', () => {
    expect(logged.join('\n')).toContain('does not come from that server')
    expect(logged.join('\n')).not.toContain(secret)
  })
})

test('an account that is removed is refused with its next request', async () => {
  await accounts.add({ name: 'Eve', roles: ['curator'], password })
  expect((await who(proof, named('Eve'))).status).toBe(200)
  accounts.setRoles('Eve', ['viewer'])
  expect((await send(naming.port, '/api/call/notes.write', [proof, named('Eve')])).status).toBe(403)
  accounts.remove('Eve')
  expect(await who(proof, named('Eve'))).toMatchObject({
    status: 403,
    text: expect.stringContaining('no account with this name') as string,
  })
})

describe('the address of the client', () => {
  const addressWith = async (...fields: [string, string][]) =>
    (valueOf(await who(proof, named('Bea'), ...fields)) as { address: string }).address
  const forwarded = (value: string): [string, string] => ['X-Forwarded-For', value]

  test('is the last that the server in front names: those before it are of the client', async () => {
    expect(await addressWith(forwarded('203.0.113.9'))).toBe('203.0.113.9')
    expect(await addressWith(forwarded('198.51.100.1, 203.0.113.9'))).toBe('203.0.113.9')
    expect(await addressWith(forwarded('198.51.100.1'), forwarded('2001:db8::7'))).toBe('2001:db8::7')
    expect(await addressWith(forwarded('203.0.113.9, unknown'))).toBe('127.0.0.1')
  })

  test('limits attempts to log in, where the server in front does not log in', async () => {
    const logIn = (address: string, name: string, secretField: [string, string] = proof) =>
      send(
        forwarding.port,
        '/api/login',
        [secretField, forwarded(`192.0.2.1, ${address}`)],
        'POST',
        JSON.stringify({ input: { name, password: 'wrong' } }),
      )
    let last: Answer = { status: undefined, text: '' }
    for (let attempt = 0; last.status !== 409 && attempt < 30; attempt += 1)
      last = await logIn('203.0.113.1', `user${attempt}`)
    expect(last.text).toContain('Too many log-ins failed')
    expect((await logIn('203.0.113.2', 'somebody')).text).toContain('is wrong')
    expect((await logIn('203.0.113.2', 'somebody', ['Loupe-Proxy-Secret', 'x'])).text).toContain(
      'does not come from that server',
    )
    expect(logged.join('\n')).toContain('refused a log-in from 203.0.113.2')
  })

  test('a session is opened through the server in front only', async () => {
    const token = sessions.begin({ account: 'Bea', address: '', client: '' })
    const bearer: [string, string] = ['Authorization', `Bearer ${token}`]
    const asked = (...fields: [string, string][]) => send(forwarding.port, '/api/call/notes.who', fields)
    expect(valueOf(await asked(proof, bearer, forwarded('203.0.113.5')))).toEqual({
      account: 'Bea',
      address: '203.0.113.5',
    })
    expect((await asked(bearer)).status).toBe(403)
    // There is no header for accounts here, so that none is believed.
    expect((await asked(proof, named('Zoë'))).status).toBe(401)
  })
})

describe('the secret', () => {
  test.each<[string, string, number, RegExp]>([
    ['short', 'secret', 0o600, /at least 32 letters/],
    ['of two lines', `${secret}\n${secret}`, 0o600, /at least 32 letters/],
    ['with a comma', `${secret},${secret}`, 0o600, /at least 32 letters/],
    ['that others may read', secret, 0o644, /chmod 600/],
  ])('%s is refused at the start', async (_, text, mode, problem) => {
    const path = join(folder, 'other')
    await writeFile(path, text)
    await chmod(path, mode)
    await expect(trustedProxy({ secretFile: path })).rejects.toThrow(problem)
  })

  test('that is absent is refused, and so is a header that is none for accounts', async () => {
    await expect(trustedProxy({ secretFile: join(folder, 'absent') })).rejects.toThrow('cannot be read')
    for (const accountHeader of ['X_Remote_User', 'Loupe-Proxy-Secret', 'Authorization', '', 'a b', 'X-Forwarded-For'])
      await expect(trustedProxy({ secretFile, accountHeader })).rejects.toThrow('no name of a header for accounts')
  })
})

const nginx = '/usr/sbin/nginx'

describe.skipIf(!existsSync(nginx))('a real nginx (skipped where it is not installed)', () => {
  let front: ChildProcess
  let port: number

  beforeAll(async () => {
    port = await freePort()
    const room = join(folder, 'nginx')
    await mkdir(room)
    await writeFile(join(room, 'users'), `bea:{PLAIN}${password}\nmallory:{PLAIN}${password}\n`)
    await writeFile(join(room, 'nginx.conf'), configuration(room))
    front = spawn(nginx, ['-c', join(room, 'nginx.conf'), '-e', join(room, 'error.log')], { stdio: 'ignore' })
    await listening()
  })
  afterAll(async () => {
    if (front.exitCode !== null) return
    front.kill('SIGTERM')
    await once(front, 'exit')
  })

  /** The recipe of docs/accounts.md, on loopback. */
  const configuration = (room: string) => `
daemon off; master_process off; pid ${room}/pid; error_log ${room}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${room}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    location / {
      auth_basic "Library";
      auth_basic_user_file ${room}/users;
      proxy_pass http://127.0.0.1:${naming.port};
      proxy_set_header Host loupe.example:${naming.port};
      proxy_set_header Loupe-Proxy-Secret ${secret};
      proxy_set_header X-Remote-User $remote_user;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_buffering off;
      client_max_body_size 64m;
    }
  }
}
`

  async function listening(): Promise<void> {
    for (;;) {
      if (front.exitCode !== null) throw new Error(`nginx ended with ${front.exitCode}`)
      const socket = connect(port, '127.0.0.1')
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true))
        socket.once('error', () => resolve(false))
      })
      socket.destroy()
      if (isOpen) return
    }
  }

  const through = (user: string, ...fields: [string, string][]) =>
    send(port, '/api/call/notes.who', [['Authorization', `Basic ${btoa(`${user}:${password}`)}`], ...fields])

  test('logs an account in, whatever the client says about itself', async () => {
    expect(valueOf(await through('bea'))).toEqual({ account: 'Bea', address: '127.0.0.1' })
    const forged = await through(
      'bea',
      named('Zoë'),
      ['X_Remote_User', 'Zoë'],
      ['Loupe-Proxy-Secret', 'x'],
      ['X-Forwarded-For', '203.0.113.9'],
    )
    expect(valueOf(forged)).toEqual({ account: 'Bea', address: '127.0.0.1' })
  })

  test('refuses who is not logged in, and Loupe who has no account', async () => {
    expect((await send(port, '/api/call/notes.who', [proof, named('Bea')])).status).toBe(401)
    const { status, text } = await through('mallory')
    expect([status, text]).toEqual([403, expect.stringContaining('you are logged in as mallory')])
  })
})
