/** A site with three areas that require authentication: Basic, Digest with nonces that expire, and a form whose sessions end after a
 *  few pages. It records the requests, so that a test can verify which hosts received a secret. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, type NamedSite } from './server.ts'

/** The only account. Its name and password contain characters beyond ASCII. */
export const account = { user: 'Jäsøn Doe', password: 'Xyzzy: "pässword" & more' }
const host = 'members.test'
const otherHost = 'pictures.test'

/** What the site received with one request. */
export interface Heard {
  host: string
  path: string
  authorization: string | undefined
  cookie: string | undefined
}

export interface Members extends Omit<NamedSite, 'requests'> {
  /** Every page that can be fetched after logging in. */
  urls: string[]
  heard: Heard[]
  /** Number of sessions opened, and of attempts refused. */
  logins: number
  refusals: number
}

export interface MembersSetting {
  pages?: number
  /** Number of pages for which a session or a nonce is valid. */
  lasts?: number
  /** Whether every session is refused from the beginning, so that logging in never helps. */
  neverIn?: boolean
  multipart?: boolean
}

const areas = ['basic', 'digest', 'members'] as const

/** Starts the site; by default with 12 pages per area, and sessions and nonces that last 5 pages. */
export async function startMembers(setting: MembersSetting = {}): Promise<Members> {
  const { pages = 12, lasts = 5 } = setting
  const site: Members = {
    origin: `http://${host}`,
    urls: areas.flatMap((area) => Array.from({ length: pages }, (_, page) => `http://${host}/${area}/${page}`)),
    heard: [],
    logins: 0,
    refusals: 0,
    resolve: {},
    close: () => Promise.resolve(),
  }
  const sessions = new Map<string, number>()
  const nonces = new Map<string, { left: number; counts: Set<number> }>()
  const tokens = new Set<string>()

  function page(response: ServerResponse, area: string, number: number): void {
    const links = Array.from({ length: 3 }, (_, step) => (number * 2 + 1 + step) % pages)
    html(response, 200, [
      `<title>${area} ${number}</title>`,
      ...links.map((next) => `<a href="/${area}/${next}">${next}</a>`),
      `<a href="/${area}/logout">Log out</a><img src="http://${otherHost}/${area}-${number}.png">`,
    ])
  }

  function basic(request: IncomingMessage, response: ServerResponse): boolean {
    const expected = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
    if (request.headers.authorization === expected) return true
    if (request.headers.authorization !== undefined) site.refusals += 1
    html(response, 401, ['No.'], { 'WWW-Authenticate': 'Basic realm="members", charset="UTF-8"' })
    return false
  }

  function digest(request: IncomingMessage, response: ServerResponse): boolean {
    const said = new Map(
      [...(request.headers.authorization ?? '').matchAll(/([\w*]+)=(?:"([^"]*)"|([^,\s]*))/g)].map((part) => [
        part[1] ?? '',
        part[2] ?? part[3] ?? '',
      ]),
    )
    const nonce = nonces.get(said.get('nonce') ?? '')
    const count = parseInt(said.get('nc') ?? '', 16)
    const isRight = said.get('response') === expectedResponse(request.url ?? '', said)
    if (isRight && nonce && nonce.left > 0 && !nonce.counts.has(count)) {
      nonce.left -= 1
      nonce.counts.add(count)
      return true
    }
    const isStale = isRight && nonce !== undefined && nonce.left === 0
    if (said.size > 0 && !isStale) site.refusals += 1
    const fresh = randomBytes(12).toString('hex')
    nonces.set(fresh, { left: lasts, counts: new Set() })
    const challenge = `Digest realm="members", nonce="${fresh}", qop="auth", algorithm=SHA-256, userhash=true, opaque="o"`
    html(response, 401, ['No.'], { 'WWW-Authenticate': `${challenge}${isStale ? ', stale=true' : ''}` })
    return false
  }

  function session(request: IncomingMessage, response: ServerResponse): boolean {
    const id = /\bsid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const left = setting.neverIn ? 0 : (sessions.get(id) ?? 0)
    sessions.set(id, left - 1)
    if (left > 0) return true
    response.writeHead(302, { Location: '/login' }).end()
    return false
  }

  function loginPage(response: ServerResponse): void {
    const token = randomBytes(8).toString('hex')
    tokens.add(token)
    const encoding = setting.multipart ? ' enctype="multipart/form-data"' : ''
    html(
      response,
      200,
      [
        '<form action="/search"><input name=q></form>',
        `<form action="/session" method=post${encoding}><input type=hidden name=token value="${token}">`,
        '<input name=user><input type=password name=pass><input type=checkbox name=keep><button name=go value="in">In</button></form>',
      ],
      { 'Set-Cookie': `guard=${token}; Path=/` },
    )
  }

  async function openSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = await fieldsOf(request)
    const guard = /\bguard=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const isMeant = fields.get('token') === guard && tokens.delete(guard) && fields.get('go') === 'in'
    if (!isMeant || fields.get('user') !== account.user || fields.get('pass') !== account.password) {
      site.refusals += 1
      return loginPage(response)
    }
    const id = `SECRETSESSION${randomBytes(8).toString('hex')}`
    site.logins += 1
    sessions.set(id, lasts)
    response.writeHead(303, { Location: '/welcome', 'Set-Cookie': `sid=${id}; HttpOnly; Path=/` }).end()
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host: to = '', authorization, cookie } = request.headers
    const path = request.url ?? ''
    site.heard.push({ host: to, path, authorization, cookie })
    if (to.startsWith(otherHost)) return html(response, 200, ['a picture'], { 'Set-Cookie': 'track=1; Domain=test' })
    if (path === '/session') return openSession(request, response)
    if (path === '/login') return loginPage(response)
    if (path === '/welcome') return html(response, 200, ['Welcome'])
    if (path === '/') return html(response, 200, areas.map((area) => `<a href="/${area}/0">${area}</a>`)) // prettier-ignore
    const [, area, rest = ''] = /^\/(basic|digest|members)\/(.*)$/.exec(path) ?? []
    if (area === undefined) return html(response, 404, ['No such page'])
    const isIn = area === 'basic' ? basic : area === 'digest' ? digest : session
    if (!isIn(request, response)) return
    if (rest === 'logout') {
      sessions.clear()
      return html(response, 200, ['Bye'])
    }
    // A session cookie in every answer: answers must not leak it.
    if (area === 'members') response.setHeader('Set-Cookie', `seen=SECRETSESSION${rest}; Path=/`)
    page(response, area, Number(rest))
  }

  const server = createServer((request, response) => void answer(request, response))
  const { address, close } = await listen(server)
  site.resolve = { [host]: address, [otherHost]: address }
  site.close = close
  return site
}

function expectedResponse(target: string, said: ReadonlyMap<string, string>): string {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const key = sha256(`${account.user}:members:${account.password}`)
  const middle = [said.get('nonce'), said.get('nc'), said.get('cnonce'), 'auth'].join(':')
  return sha256(`${key}:${middle}:${sha256(`GET:${target}`)}`)
}

async function fieldsOf(request: IncomingMessage): Promise<Map<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const type = request.headers['content-type'] ?? ''
  const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData()
  return new Map([...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
}

function html(response: ServerResponse, status: number, lines: string[], fields: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...fields }).end(lines.join('\n'))
}
