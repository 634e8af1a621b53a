/** The link against a real server on a port that the system picks. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { httpLink } from './http.ts'

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

async function serving(answer: Answer, token = 'secret') {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => answer(request, response, body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const link = httpLink({ origin: `http://127.0.0.1:${port}`, token })
  ends.push(
    () => link.close(),
    () => (server.closeAllConnections(), server.close()),
  )
  return link
}

const isStream = ({ url }: IncomingMessage) => url === '/api/events'

function connectionOf(link: ReturnType<typeof httpLink>, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    if (link.connection() === wanted) return resolve()
    link.onConnection((connection) => connection === wanted && resolve())
  })
}

test('a call posts its input with the token and returns the value of the reply', async () => {
  const link = await serving((request, response, body) => {
    if (isStream(request)) return response.writeHead(200).flushHeaders()
    const { method, url, headers } = request
    response.end(
      JSON.stringify({
        value: { method, url, authorization: headers.authorization, type: headers['content-type'], body },
      }),
    )
  })
  expect(await link.call('jobs.show', { job: 3 })).toEqual({
    method: 'POST',
    url: '/api/call/jobs.show',
    authorization: 'Bearer secret',
    type: 'application/json',
    body: '{"input":{"job":3}}',
  })
})

test('without a token, the server in front says who calls: no header takes the place of its own', async () => {
  const fields: (string | undefined)[] = []
  const link = await serving((request, response) => {
    fields.push(request.headers.authorization)
    if (isStream(request)) return response.writeHead(200).flushHeaders()
    response.end('{"value":{}}')
  }, '')
  await link.call('jobs.show', { job: 3 })
  expect(new Set(fields)).toEqual(new Set([undefined]))
})

test.each([
  { says: 'a fault', status: 404, text: '{"fault":{"code":"notFound","text":"There is no job 9."}}', code: 'notFound' },
  { says: 'an unknown fault code', status: 500, text: '{"fault":{"code":"nonsense","text":"?"}}', code: 'internal' },
  { says: 'no reply at all', status: 200, text: '{}', code: 'internal' },
  { says: 'a page of another server', status: 502, text: '<html>Bad gateway</html>', code: 'unreachable' },
])('$says is thrown as $code', async ({ status, text, code }) => {
  const link = await serving((request, response) => {
    if (isStream(request)) return response.writeHead(200).flushHeaders()
    response.writeHead(status).end(text)
  })
  await expect(link.call('jobs.show', { job: 9 })).rejects.toMatchObject({
    name: 'Fault',
    code,
  })
})

test('a missing engine is unreachable', async () => {
  const link = httpLink({
    origin: 'http://127.0.0.1:9',
    token: 'secret',
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  })
  ends.push(() => link.close())
  await expect(link.call('jobs.list', {})).rejects.toMatchObject({ code: 'unreachable' })
})

test('events reach their listeners only', async () => {
  let stream: ServerResponse | undefined
  const link = await serving((_request, response) => {
    stream = response
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  })
  await connectionOf(link, 'open')
  const heard: unknown[] = []
  const end = link.listen('jobs.changed', (payload) => heard.push(['ended', payload]))
  end()
  const arrived = new Promise((resolve) =>
    link.listen('jobs.changed', (payload) => (heard.push(payload), resolve(undefined))),
  )
  link.listen('archive.changed', () => heard.push('wrong'))
  stream?.write('event: jobs.changed\ndata: {"jo')
  stream?.write('b":4}\n\n')
  await arrived
  expect(heard).toEqual([{ job: 4 }])
})

test('a broken stream is reported as lost and opened again', async () => {
  let opened = 0
  const link = await serving((_request, response) => {
    opened += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // The first stream ends at once, as when the engine is restarted.
    if (opened === 1) response.end()
    else response.flushHeaders()
  })
  const seen: string[] = []
  link.onConnection((connection) => seen.push(connection))
  await connectionOf(link, 'lost')
  await connectionOf(link, 'open')
  expect(seen.slice(-2)).toEqual(['lost', 'open'])
  expect(opened).toBe(2)
})

test('a refused token is not tried again', async () => {
  let asked = 0
  const link = await serving((_request, response) => {
    asked += 1
    response.writeHead(401).end('{"fault":{"code":"notAllowed","text":"wrong token"}}')
  })
  await connectionOf(link, 'refused')
  expect(asked).toBe(1)
})
