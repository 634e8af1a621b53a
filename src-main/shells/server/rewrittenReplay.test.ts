import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRewrittenReplay, type RewrittenParts, type RewrittenReplay } from './rewrittenReplay.ts'

let replay: RewrittenReplay
const captured: string[] = []
const bugs: unknown[] = []
const refusals: string[] = []

beforeAll(async () => {
  const viewing = ''
  const answers = [
    { viewing, url: 'http://a.test/', by: 'missing', status: 404, captured: null },
    { viewing, url: 'http://a.test/', by: 'exactCapture', status: 200, captured: '2024-02-29T12:30:05.000Z' },
    { viewing: 'viewing-1', url: 'http://a.test/', by: 'missing', status: 404, captured: null },
    { viewing, url: 'http://a.test/damaged', by: 'missing', status: 503, captured: null },
    { viewing, url: 'http://a.test/never', by: 'missing', status: 404, captured: null },
  ] as const
  const engine: RewrittenParts['engine'] = {
    viewer: { host: '127.0.0.1', port: 4712 },
    services: { viewer: { answers: async () => [...answers] } },
    async answerRewritten(_request, response, url) {
      captured.push(url)
      response.end('captured')
    },
  }
  const onBug = (error: unknown) => bugs.push(error)
  replay = await openRewrittenReplay({ engine, onBug, log: (text) => refusals.push(text) })
})
afterAll(async () => {
  await replay.close()
  expect(bugs).toEqual([])
})

interface Asked {
  host?: string
  method?: string
  headers?: Record<string, string>
}

const frameHost = () => new URL(replay.address).host
const pagesHost = () => `pages.${frameHost()}`

/** Sends a request by the name of a host, which Node does not look up for `localhost` names on every system. */
function ask(path: string, { host = frameHost(), method = 'GET', headers = {} }: Asked = {}) {
  const { port } = new URL(replay.address)
  const options = { host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false }
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const asking = httpRequest(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    asking.on('error', reject).end()
  })
}

test('its address is a secret name of this machine', () => {
  expect(replay.address).toMatch(/^http:\/\/[0-9a-f]{32}\.replay\.localhost:\d+\/$/)
})

test('the page with the frame says that pages are rewritten, names the exact replay, and frames only archived pages', async () => {
  const { status, headers, text } = await ask('/')
  expect(status).toBe(200)
  for (const part of ['Rewritten replay', '127.0.0.1:4712', 'sandbox="allow-scripts allow-same-origin allow-forms"'])
    expect(text).toContain(part)
  expect(headers['content-security-policy']).toContain(`frame-src http://${pagesHost()}; frame-ancestors 'none'`)
})

test('the frame begins with a document that starts the worker, and the worker runs wabac.js unchanged', async () => {
  const begin = await ask('/', { host: pagesHost() })
  expect(begin.headers['content-security-policy']).toContain("default-src 'none'")
  const worker = await ask('/worker.js', { host: pagesHost() })
  expect(worker.text).toContain("importScripts('/engine.js')")
  expect(worker.headers['content-security-policy']).toBe("default-src 'none'; script-src 'self'; connect-src 'self'")
  const engine = await ask('/engine.js', { host: pagesHost() })
  expect(engine.text).toContain('wombat')
})

const files: [string, 'frame' | 'pages', number][] = [
  ['/frame.js', 'frame', 200],
  ['/frame.css', 'frame', 200],
  ['/frame.js', 'pages', 404],
  ['/worker.js', 'frame', 404],
  ['/answered?url=http://a.test/', 'pages', 404],
  ['/api/call/viewer.current', 'frame', 404],
  ['/api/call/viewer.current', 'pages', 404],
  ['/../package.json', 'frame', 404],
  ['/capture/http://a.test/', 'frame', 404],
]
for (const [path, origin, status] of files)
  test(`GET ${path} of the origin of the ${origin}: ${status}`, async () => {
    const answer = await ask(path, { host: origin === 'frame' ? frameHost() : pagesHost() })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, undefined])
    expect(captured).toEqual([])
  })

const ofWorker = { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }

test('captures are given to the worker, whatever the method', async () => {
  for (const method of ['GET', 'POST', 'OPTIONS'])
    expect((await ask('/capture/http://a.test/?a=1', { host: pagesHost(), method, headers: ofWorker })).status).toBe(
      200,
    )
  await ask('/capture/2024id_/https://a.test/b', { host: pagesHost(), headers: ofWorker })
  expect(captured.splice(0)).toEqual([...Array<string>(3).fill('http://a.test/?a=1'), 'https://a.test/b'])
})

const refused: [string, string, () => Asked][] = [
  ['a page', '/capture/http://a.test/', () => ({ headers: { ...ofWorker, 'sec-fetch-dest': 'document' } })],
  ['a frame', '/capture/http://a.test/', () => ({ headers: { ...ofWorker, 'sec-fetch-dest': 'iframe' } })],
  ['a script', '/capture/http://a.test/', () => ({ headers: { ...ofWorker, 'sec-fetch-dest': 'script' } })],
  ['a service worker of a page', '/capture/http://a.test/w.js', () => ({ headers: { 'service-worker': 'script' } })],
  ['another site', '/capture/http://a.test/', () => ({ headers: { ...ofWorker, 'sec-fetch-site': 'cross-site' } })],
  [
    'the page with the frame',
    '/capture/http://a.test/',
    () => ({ headers: { ...ofWorker, 'sec-fetch-site': 'same-site' } }),
  ],
  ['a client without the secret', '/', () => ({ host: `replay.localhost:${new URL(replay.address).port}` })],
  ['a client that names the address', '/', () => ({ host: `127.0.0.1:${new URL(replay.address).port}` })],
  ['a name that begins like ours', '/', () => ({ host: `${frameHost()}.evil.example` })],
  ['a POST to a file', '/', () => ({ method: 'POST', host: frameHost() })],
]
for (const [what, path, asked] of refused)
  test(`refuses ${what}, with a line for the administrator`, async () => {
    const { status, text } = await ask(path, { host: pagesHost(), ...asked() })
    expect([status, captured]).toEqual([403, []])
    expect(text).toMatch(/^Refused: /)
    expect(refusals.at(-1)).toContain('refused ')
  })

test('what the archive answered last is told to the page with the frame', async () => {
  const told = async (url: string) =>
    JSON.parse((await ask(`/answered?url=${encodeURIComponent(url)}`)).text) as unknown
  expect(await told('http://a.test/')).toEqual({ isMissing: false, captured: '2024-02-29T12:30:05.000Z' })
  expect(await told('http://a.test/never')).toEqual({ isMissing: true, captured: null })
  expect(await told('http://a.test/damaged')).toEqual({ isMissing: false, captured: null })
  expect(await told('http://other.test/')).toEqual({ isMissing: false, captured: null })
})
