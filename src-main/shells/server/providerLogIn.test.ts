/** Log-ins through a real provider of OpenID Connect, over HTTP on loopback, and what attackers try with them. */
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openAccounts, openLogIns, openSessions } from '../../access/access.ts'
import { call, type Implementation } from '../../contract/calls/service.ts'
import { openStore } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { freePort } from '../testing/freePort.ts'
import { client, startProvider, type TestedProvider } from '../testing/identityProvider.ts'
import { serveContract, type Served } from './httpServer.ts'
import { identityProvider, type IdentityProviderSetting } from './identityProvider.ts'
import { openPublicPort } from './publicPort.ts'

const notes = {
  notes: { who: call(z.object({}), z.object({ account: z.string(), roles: z.array(z.string()) })) },
} as const
const services: Implementation<typeof notes> = {
  notes: { who: async (_, { account, roles }) => ({ account, roles: [...roles] }) },
}
const password = 'correct horse battery staple'
const world = realWorld()
const store = openStore(':memory:')
const accounts = openAccounts({ store, world, onAction: () => undefined })
const sessions = openSessions({ store, world, limits: () => ({ idleMs: 3_600_000, totalMs: 36_000_000 }) })
const door = { ...openLogIns({ accounts, sessions, clock: world.clock }), isAny: () => accounts.list().length > 0 }
const bugs: unknown[] = []
const logged: string[] = []
let folder: string
let secretFile: string
let provider: TestedProvider
let providerPort: number
let origin: string
let served: Served
let byAddress: Served

async function serving(port: number, change: Partial<IdentityProviderSetting> = {}): Promise<Served> {
  const setting = {
    issuer: `http://127.0.0.1:${providerPort}`,
    clientId: client.id,
    clientSecretFile: secretFile,
    name: 'Library',
  }
  return serveContract({
    ...{ contract: notes, services, leastRoles: { notes: { who: 'viewer' } }, version: '1' },
    ...{ onBug: (error) => bugs.push(error), log: (text) => logged.push(text) },
    at: await openPublicPort({ host: '127.0.0.1', port, names: [], tls: undefined, isInsecure: false }),
    admission: { accounts: door, provider: await identityProvider({ ...setting, ...change }) },
  })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-oidc-'))
  secretFile = join(folder, 'secret')
  await writeFile(secretFile, `${client.secret}\n`, { mode: 0o600 })
  const [port, other] = [await freePort(), await freePort()]
  providerPort = await freePort()
  origin = `http://127.0.0.1:${port}`
  provider = await startProvider(providerPort, [origin, `http://127.0.0.1:${other}`])
  served = await serving(port)
  byAddress = await serving(other, { accountClaim: 'email' })
  await accounts.add({ name: 'Anna', roles: ['curator'], password })
})
afterAll(async () => {
  await served.close()
  await byAddress.close()
  await provider.stop()
  store.close()
  await rm(folder, { recursive: true })
  expect(bugs).toEqual([])
})

/** A browser, as far as it matters here: it keeps the cookies of each server, and goes where it is sent when it is told to. */
function browser() {
  const jars = new Map<string, Map<string, string>>()
  return {
    jarOf(at: string) {
      const jar = jars.get(new URL(at).origin) ?? new Map<string, string>()
      jars.set(new URL(at).origin, jar)
      return jar
    },
    async send(at: string, init: RequestInit = {}) {
      const jar = this.jarOf(at)
      const headers = new Headers(init.headers)
      headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
      const response = await fetch(at, { ...init, headers, redirect: 'manual' })
      for (const field of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return response
    },
  }
}
type Browser = ReturnType<typeof browser>

interface Sent {
  value?: { url?: string; token?: string; account?: string; provider?: string }
  fault?: { code: string; text: string }
}
const post = async (who: Browser, path: string, at = origin, fields: Record<string, string> = {}) =>
  (await (
    await who.send(`${at}${path}`, {
      method: 'POST',
      body: '{"input":{}}',
      headers: { 'content-type': 'application/json', ...fields },
    })
  ).json()) as Sent
const callOf = (token: string) => post(browser(), '/api/call/notes.who', origin, { authorization: `Bearer ${token}` })

/** Begins a log-in, and logs in at the provider under this name. Returns the URL to which the provider sends the browser. */
async function loggedInAs(who: Browser, name: string, at = origin): Promise<string> {
  let url = (await post(who, '/api/login/provider', at)).value?.url ?? ''
  for (let step = 0; step < 12 && !url.startsWith(at); step += 1) {
    const response = await who.send(url)
    const location = response.headers.get('location')
    if (location !== null) {
      url = new URL(location, url).href
      continue
    }
    const page = await response.text()
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const answer = await who.send(new URL(action, url).href, {
      method: 'POST',
      body: new URLSearchParams({ prompt, login: name, password: 'any' }),
    })
    url = new URL(answer.headers.get('location') ?? '', url).href
  }
  return url
}

/** Comes back from the provider as a browser does. Not with `fetch`, which says itself in which mode it asks. */
async function comeBack(who: Browser, url: string, fields: Record<string, string> = {}) {
  const cookie = [...who.jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ')
  const asked = request(url, {
    headers: { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', ...fields },
  })
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>
  asked.end()
  const [response] = await answered
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += String(piece)
  return { status: response.statusCode, text }
}

const take = (who: Browser, at = origin) => post(who, '/api/login/token', at)

test('an account logs in with the provider, and has its roles in Loupe', async () => {
  const who = browser()
  expect(((await (await who.send(`${origin}/api/login`)).json()) as Sent).value).toMatchObject({ provider: 'Library' })
  const back = await comeBack(who, await loggedInAs(who, 'anna'))
  expect([back.status, back.text]).toEqual([200, expect.stringContaining('url=/#provider"')])
  const { value } = await take(who)
  expect((await callOf(value?.token ?? '')).value).toEqual({ account: 'Anna', roles: ['curator'] })
  expect(who.jarOf(origin).size).toBe(0)
})

test('the cookie is for this server only, and the request for the provider has PKCE, state and nonce', async () => {
  const response = await browser().send(`${origin}/api/login/provider`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect(response.headers.get('set-cookie')).toMatch(
    /^loupe-login=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const asked = new URL(((await response.json()) as Sent).value?.url ?? '').searchParams
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${origin}/api/login/callback`,
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/)
})

test('an address is the name of an account where the provider has verified it', async () => {
  await accounts.add({ name: 'maria@library.test', roles: ['viewer'], password })
  const outcome = async (name: string) => {
    const who = browser()
    await comeBack(who, await loggedInAs(who, name, byAddress.origin))
    return take(who, byAddress.origin)
  }
  expect((await outcome('maria')).value?.token).toMatch(/^[\w-]{43}$/)
  expect((await outcome('unverified')).fault?.text).toContain('no verified "email"')
})

describe('attacks', () => {
  const refusal = 'this log-in was not begun in this browser'

  test('a URL logs in only in the browser that began the log-in', async () => {
    const [attacker, victim] = [browser(), browser()]
    const url = await loggedInAs(attacker, 'anna')
    const stolen = await comeBack(victim, url)
    expect([stolen.status, stolen.text]).toEqual([403, expect.stringContaining(refusal)])
    // Also where the victim has a log-in of its own open: the state is another.
    const own = await loggedInAs(victim, 'anna')
    expect((await comeBack(victim, url)).status).toBe(403)
    expect((await comeBack(victim, own)).status).toBe(200)
    expect((await take(victim)).value?.token).toBeDefined()
  })

  test('a URL works once', async () => {
    const who = browser()
    const url = await loggedInAs(who, 'anna')
    expect((await comeBack(who, url)).status).toBe(200)
    expect((await comeBack(who, url)).status).toBe(403)
    expect((await take(who)).value?.token).toBeDefined()
    expect((await take(who)).fault).toMatchObject({ code: 'notAllowed' })
  })

  test.each<[string, (url: URL) => void]>([
    ['without a state', (url) => url.searchParams.delete('state')],
    ['with another state', (url) => url.searchParams.set('state', 'x'.repeat(43))],
  ])('a URL %s is refused, and ends nothing', async (_, change) => {
    const who = browser()
    const url = new URL(await loggedInAs(who, 'anna'))
    const forged = new URL(url)
    change(forged)
    expect((await comeBack(who, forged.href)).status).toBe(403)
    expect((await take(who)).fault).toMatchObject({ code: 'notAllowed' })
    expect((await comeBack(who, url.href)).status).toBe(200)
  })

  test.each<[string, (url: URL) => void]>([
    ['a made up code', (url) => url.searchParams.set('code', 'x'.repeat(43))],
    ['no code', (url) => url.searchParams.delete('code')],
    ['a code of another issuer', (url) => url.searchParams.set('iss', 'https://evil.example')],
    ['an error', (url) => (url.searchParams.delete('code'), url.searchParams.set('error', 'access_denied'))],
  ])('%s gives no session, but a sentence', async (_, change) => {
    const who = browser()
    const url = new URL(await loggedInAs(who, 'anna'))
    change(url)
    expect((await comeBack(who, url.href)).status).toBe(200)
    expect((await take(who)).fault).toMatchObject({
      code: 'notAllowed',
      text: expect.stringContaining('Library did not confirm this log-in') as string,
    })
  })

  test('a session is new, whatever cookie or token the browser brings', async () => {
    const who = browser()
    who.jarOf(origin).set('loupe-login', 'a'.repeat(43))
    expect((await take(who)).fault).toMatchObject({ code: 'notAllowed' })
    await comeBack(who, await loggedInAs(who, 'anna'))
    const cookie = who.jarOf(origin).get('loupe-login') ?? ''
    expect(cookie).not.toBe('a'.repeat(43))
    const token = (await take(who)).value?.token ?? ''
    expect([token === cookie, (await callOf(cookie)).fault?.code]).toEqual([false, 'notAllowed'])
  })

  test('a person without an account, and one whose account was removed meanwhile, get a sentence', async () => {
    const stranger = browser()
    await comeBack(stranger, await loggedInAs(stranger, 'mallory'))
    expect((await take(stranger)).fault?.text).toContain('You are logged in as mallory, and Loupe has no account')
    await accounts.add({ name: 'Eve', roles: ['viewer'], password })
    const who = browser()
    await comeBack(who, await loggedInAs(who, 'eve'))
    accounts.remove('Eve')
    expect((await take(who)).fault).toMatchObject({ code: 'notAllowed' })
    expect(logged.join('\n')).toContain('refused a log-in from 127.0.0.1: You are logged in as mallory')
  })

  test('another site can neither begin a log-in, nor take the token, nor come back without a navigation', async () => {
    const who = browser()
    for (const path of ['/api/login/provider', '/api/login/token'])
      for (const fields of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.example' }] as Record<
        string,
        string
      >[])
        expect((await post(who, path, origin, fields)).fault?.text).toContain('Refused:')
    const url = await loggedInAs(who, 'anna')
    expect((await comeBack(who, url, { 'sec-fetch-mode': 'no-cors' })).status).toBe(403)
    expect((await comeBack(who, `${origin}/api/call/notes.who`)).status).toBe(403)
  })
})

test.each<[string, Partial<IdentityProviderSetting>, RegExp]>([
  ['over http elsewhere', { issuer: 'http://login.example' }, /must be an https URL/],
  ['that is no URL', { issuer: 'login.example' }, /must be an https URL/],
  ['of another scheme', { issuer: 'ftp://127.0.0.1' }, /must be an https URL/],
])('an issuer %s is refused at the start', async (_, change, problem) => {
  const setting = { issuer: '', clientId: client.id, clientSecretFile: secretFile }
  await expect(identityProvider({ ...setting, ...change })).rejects.toThrow(problem)
})

// Last, since it stops the provider.
test('without the provider there is a sentence, and the password still opens Loupe; it is used again when it is back', async () => {
  const who = browser()
  const begun = await loggedInAs(who, 'anna')
  await provider.stop()
  await comeBack(who, begun)
  expect((await take(who)).fault).toMatchObject({
    code: 'unreachable',
    text: expect.stringContaining('log in with the password') as string,
  })
  const fresh = await serving(0)
  expect((await post(browser(), '/api/login/provider', fresh.origin)).fault).toMatchObject({ code: 'unreachable' })
  const answer = await fetch(`${fresh.origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { name: 'anna', password } }),
  })
  expect(answer.status).toBe(200)
  provider = await startProvider(providerPort, [origin])
  expect((await post(browser(), '/api/login/provider', fresh.origin)).value?.url).toContain(provider.issuer)
  await fresh.close()
})
