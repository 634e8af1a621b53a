/** Logins at faulty or malicious servers: a password is sent only to the servers that the login names, and is tried once. */
import { message, storedMessage } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'
import { expect, test } from 'vitest'
import { loginShape } from '../../../contract/services/login.ts'
import { parseResponseHead } from '../../../formats/http/http.ts'
import type { RequestOptions } from '../fetch/request.ts'
import type { HttpOutcome } from '../fetch/outcome.ts'
import { frontierFixture, page as foundPage } from '../../frontier/testing/frontierFixture.ts'
import { spoolIn } from '../fetch/spool.ts'
import { openLogins } from './logins.ts'

const secret = { user: 'jane', password: 'open sesame' }

interface SentRequest {
  url: string
  text: string
  isSecret: boolean
}

type Answer = string | ((sent: SentRequest) => string)

/** `answers`: head and body of the answer of each URL; any other URL is a page. */
function made(login: object, answers: Record<string, Answer>) {
  const { world, store, job, frontier } = frontierFixture()
  const rows = [1, 2, 3].map((number) => foundPage(`https://a.test/in/${number}`))
  store.transaction(() => frontier.discover(rows, world.clock.now()))
  const requests: SentRequest[] = []
  const log: string[] = []
  async function request(url: string, _referrer: string | undefined, options: RequestOptions): Promise<HttpOutcome> {
    const fields = (options.fields ?? []).map((field) => field.join(': ')).join('\n')
    const sent = {
      url,
      text: `${fields}\n${Buffer.from(options.body ?? []).toString()}`,
      isSecret: options.isSecret === true,
    }
    requests.push(sent)
    const answer = answers[url] ?? 'HTTP/1.1 200 OK'
    const [head = '', body = ''] = (typeof answer === 'string' ? answer : answer(sent)).split('\n\n')
    const bytes = Buffer.from(`${head.replaceAll('\n', '\r\n')}\r\n\r\n${body}`)
    const response = spoolIn(world, { folder: '/', runId: 'run' })
    await response.append(bytes)
    const parsed = parseResponseHead(bytes)
    if (!parsed) throw new Error('no answer')
    return {
      kind: 'answered',
      head: parsed.head,
      request: Buffer.from(`GET / HTTP/1.1\r\n${fields.replaceAll('\n', '\r\n')}\r\n\r\n`),
      response,
      truncated: undefined,
      remoteAddress: '',
      security: undefined,
      startedMs: 0,
      durationMs: 0,
      findings: [],
    }
  }
  const logins = openLogins({
    login: loginShape.parse({ areas: [{ credential: 'c', urls: ['https://a.test/in/'], ...login }] }),
    store,
    job,
    world,
    credentials: { secretOf: async () => ({ secret }) },
    request,
    log: (_level, line) => void log.push(textOf(line)),
  })
  const row = { role: 'page', hopPath: '', hops: 0, viaId: null, viaUrl: null, attempts: 1 } as const
  const fetch = async (url: string, id = 1) => {
    const outcome = await logins.fetch({ ...row, id, url })
    return outcome.kind === 'failed' ? outcome.reason : outcome.head.status
  }
  const activities = store.statement<object, object>(
    `SELECT kind, identifier, text AS result, description AS why FROM activity JOIN activity_result ON result_id = activity_result.id ORDER BY activity.id`,
  )
  return { fetch, requests, log, logins, history: () => activities.all({}) }
}

const page = 'https://a.test/in/1'
const form = { kind: 'form', page: 'https://a.test/login', userField: 'u', passwordField: 'p' }
const formPage = (action: string) => `HTTP/1.1 200 OK\nContent-Type: text/html\n\n<form method=post action="${action}"><input name=u><input name=p type=password></form>` // prettier-ignore
/** URLs that received a secret. */
const receiversOf = (requests: SentRequest[]) =>
  requests.filter(({ text }) => /open[ +]sesame|Authorization/.test(text)).map(({ url }) => url)

const rows: [what: string, login: object, answers: Record<string, Answer>, outcome: string | number, receivers: string[]][] = [
  ['a form that submits to the server of its page', form, { [form.page]: formPage('/session') }, 200, ['https://a.test/session']],
  ['a form that submits to another server', form, { [form.page]: formPage('https://evil.test/') }, 'loginFailed', []],
  ['a form that submits without TLS', form, { [form.page]: formPage('http://a.test/session') }, 'loginFailed', []],
  ['a form that submits to the server named by submitsTo', { ...form, submitsTo: 'https://sso.test/' }, { [form.page]: formPage('https://sso.test/s') }, 200, ['https://sso.test/s']],
  ['a server that redirects the password to another server', form, { [form.page]: formPage('/s'), 'https://a.test/s': 'HTTP/1.1 307 No\nLocation: https://evil.test/' }, 'loginFailed', ['https://a.test/s']],
  ['a redirect that drops the body sends no secret', form, { [form.page]: formPage('/s'), 'https://a.test/s': 'HTTP/1.1 302 No\nLocation: https://evil.test/' }, 200, ['https://a.test/s']],
  ['a login page that redirects to another server', form, { [form.page]: 'HTTP/1.1 302 No\nLocation: https://evil.test/', 'https://evil.test/': formPage('/s') }, 'loginFailed', []],
  ['a page without a form', form, {}, 'loginFailed', []],
  ['a server that answers 503', form, { [form.page]: 'HTTP/1.1 503 Later' }, 'loginUnavailable', []],
  ['an answer that contains the form again', form, { [form.page]: formPage('/login') }, 'loginFailed', ['https://a.test/login']],
  ['a rule for success that is met', { ...form, success: { text: 'Hello' } }, { [form.page]: formPage('/s'), 'https://a.test/s': 'HTTP/1.1 200 OK\n\nHello jane' }, 200, ['https://a.test/s']],
  ['a rule for success that is not met', { ...form, success: { text: 'Hello' } }, { [form.page]: formPage('/s') }, 'loginFailed', ['https://a.test/s']],
  ['Basic, requested by the server', { kind: 'basic' }, { [page]: ({ text }) => (text.includes('Basic amFuZTpvcGVuIHNlc2FtZQ==') ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 401 No\nWWW-Authenticate: Basic realm="x"') }, 200, [page]],
  ['Basic, not requested by the server', { kind: 'basic' }, {}, 200, []],
  ['Basic requested, Digest configured', { kind: 'digest' }, { [page]: 'HTTP/1.1 401 No\nWWW-Authenticate: Basic realm="x"' }, 'loginFailed', []],
  ['Digest requested, Basic configured', { kind: 'basic' }, { [page]: 'HTTP/1.1 401 No\nWWW-Authenticate: Digest realm="x", nonce="n"' }, 'loginFailed', []],
  ['a password that is not accepted', { kind: 'basic' }, { [page]: 'HTTP/1.1 401 No\nWWW-Authenticate: Basic realm="x"' }, 'loginFailed', [page]],
  ['a nonce that is always stale', { kind: 'digest' }, { [page]: 'HTTP/1.1 401 No\nWWW-Authenticate: Digest realm="x", nonce="n", stale=true' }, 401, [page, page]],
] // prettier-ignore

test.each(rows)('%s', async (_what, login, answers, outcome, receivers) => {
  const { fetch, requests, log } = made(login, answers)
  expect(await fetch(page)).toBe(outcome)
  expect(receiversOf(requests)).toEqual(receivers)
  // Requests with a secret are marked, so that they are sent only to servers with a trusted certificate.
  expect(requests.filter((sent) => receiversOf([sent]).length > 0 && !sent.isSecret)).toEqual([])
  expect(log.join('\n')).not.toContain('sesame')
  if (outcome === 'loginFailed') expect(log).toHaveLength(1)
})

test('a failed login is not repeated, and concurrent documents try a password once', async () => {
  const { fetch, requests } = made({ kind: 'basic' }, { [page]: 'HTTP/1.1 401 No\nWWW-Authenticate: Basic realm="x"' })
  expect(await Promise.all([1, 2, 3].map((id) => fetch(page, id)))).toEqual(Array(3).fill('loginFailed'))
  expect(receiversOf(requests)).toHaveLength(1)
})

test('the next nonce of the server is used, and its count starts again', async () => {
  const nonces: string[] = []
  const { fetch } = made(
    { kind: 'digest' },
    {
      [page]: ({ text }) => {
        const [, nonce] = /nonce="([^"]*)"/.exec(text) ?? []
        nonces.push(`${nonce} ${/nc=(\w+)/.exec(text)?.[1]}`)
        if (nonce === undefined) return 'HTTP/1.1 401 No\nWWW-Authenticate: Digest realm="x", nonce="one", qop="auth"'
        return `HTTP/1.1 200 OK\n${nonces.length === 3 ? 'Authentication-Info: nextnonce="two"' : 'X: y'}`
      },
    },
  )
  for (const id of [1, 2, 3]) expect(await fetch(page, id)).toBe(200)
  expect(nonces).toEqual(['undefined undefined', 'one 00000001', 'one 00000002', 'two 00000001'])
})

test('a URL that would log out is refused with its pattern, but only inside the area', () => {
  const { logins } = made(form, {})
  expect(logins.blocker('https://a.test/in/Sign-Out?x')).toBe('(?:log|sign)[-_]?(?:out|off)')
  expect(logins.blocker('https://a.test/in/logbook')).toBeUndefined()
  expect(logins.blocker('https://b.test/logout')).toBeUndefined()
})

test('the result of a login is recorded in the history once', async () => {
  const login = { kind: 5, identifier: 'https://a.test/in/' }
  const asks = 'HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Basic realm=x'
  const isIn = ({ text }: SentRequest) => (/^Authorization/.test(text) ? 'HTTP/1.1 200 OK' : asks)
  const open = made({ kind: 'basic' }, { [page]: isIn })
  for (let times = 0; times < 2; times += 1) expect(await open.fetch(page)).toBe(200)
  expect(open.history()).toEqual([{ ...login, result: 'loggedIn', why: null }])
  const shut = made({ kind: 'basic' }, { [page]: asks })
  for (let times = 0; times < 2; times += 1) expect(await shut.fetch(page)).toBe('loginFailed')
  const why = storedMessage(message('login.notAccepted'))
  expect(shut.history()).toEqual([{ ...login, result: 'loginFailed', why }])
  const busy = made(form, { [form.page]: 'HTTP/1.1 503 Busy' })
  expect(await busy.fetch(page)).toBe('loginUnavailable')
  const unanswered = {
    result: 'loginUnavailable',
    why: storedMessage(message('login.answered', { origin: 'https://a.test', status: 503 })),
  }
  expect(busy.history()).toEqual([{ ...login, identifier: form.page, ...unanswered }])
})
