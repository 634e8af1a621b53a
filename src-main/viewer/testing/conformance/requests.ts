/** What is asked: methods and their content, questions of pages about other sites, upgrades, addresses, redirects. */
import { html, plain, type Archived, type Case } from './case.ts'

const form = 'application/x-www-form-urlencoded'

/** A request and its answer, as a harvest keeps them. */
const exchange = (at: string, method: string, [type, content]: [string, string], answer: string): Archived[] => [
  { at, fields: plain, body: answer },
  {
    ...{ at, type: 'request', contentType: 'application/http;msgtype=request' },
    block: Buffer.from(
      `${method} / HTTP/1.1\r\nHost: rows.example\r\nContent-Type: ${type}\r\nContent-Length: ${content.length}\r\n\r\n${content}`,
    ),
  },
]
const at = (second: number) => `2024-02-29T12:30:${String(second).padStart(2, '0')}Z`
const posts = [
  ...exchange(at(1), 'POST', [form, 'q=cats'], 'of cats'),
  ...exchange(at(2), 'POST', [form, 'q=dogs'], 'of dogs'),
  ...exchange(at(3), 'POST', ['application/json', '{"q":"birds"}'], 'of birds'),
  ...exchange(at(4), 'PUT', ['application/json', '{"q":"fish"}'], 'fish are put'),
]
const post = (name: string, method: string, [type, content]: [string, string], expected: string | undefined): Case => ({
  ...{ name, archived: posts, ask: { method, fields: [['Content-Type', type]], content } },
  comes:
    expected === undefined ? { status: 404, fields: { 'x-loupe': 'not-in-archive' } } : { status: 200, body: expected },
})

const inexact = (name: string, sent: [string, string], expected: string): Case => ({
  ...post(name, 'POST', sent, expected),
  comes: { status: 200, body: expected, fieldsHave: { 'x-loupe-inexact': 'cacheBuster' } },
})

const question = (method: string): Case['ask'] => ({
  method: 'OPTIONS',
  fields: [
    ['Origin', 'https://page.example'],
    ['Access-Control-Request-Method', method],
    ['Access-Control-Request-Headers', 'x-mine'],
  ],
})
const granted = (name: string, method: string): Case => ({
  ...{ name, archived: { fields: html, body: 'x' } },
  ask: question(method) ?? {},
  comes: {
    status: 204,
    fields: {
      'access-control-allow-origin': 'https://page.example',
      'access-control-allow-methods': method,
      'access-control-allow-headers': 'x-mine',
      'access-control-allow-credentials': 'true',
    },
  },
})

/** What a page of another site asks for, which harvesters do not: they say no Origin. */
const across = (
  name: string,
  archived: Case['archived'],
  ask: readonly (readonly [string, string])[] = [],
  comes: Partial<Case['comes']> = {},
): Case => ({
  ...{ name, archived: archived ?? [] },
  ask: { fields: [['Origin', 'https://page.example'], ...ask] },
  comes: {
    ...{ status: 200, ...comes },
    fields: {
      ...{ 'access-control-allow-origin': 'https://page.example', 'access-control-allow-credentials': 'true' },
      ...{ vary: 'Origin, accept-datetime', ...comes.fields },
    },
  },
})
const saying = (...fields: NonNullable<Archived['fields']>): Archived => ({ fields: [...html, ...fields], body: 'x' })
const said = (value: string) => ({ fields: { 'x-archive-orig-access-control-allow-origin': value } })

const redirect = (name: string, location: string, fields: Record<string, string>, status = 302): Case => ({
  ...{ name, archived: { status, reason: 'Moved', fields: [['Location', location]] } },
  comes: { status, reason: 'Moved', fields, body: '' },
})
/** Each leads to the next, and the last to the first, which had content before. */
const circle = (name: string, paths: readonly string[]): Case => ({
  name,
  archived: [
    ...paths.map((path, at): Archived => {
      const target = paths[(at + 1) % paths.length] ?? ''
      return { status: 302, reason: 'Moved', fields: [['Location', target]], path: `/${path}` }
    }),
    { at: '2024-02-01T00:00:00Z', path: '/a', fields: plain, body: 'no circle' },
  ],
  ask: { path: '/a' },
  comes: { status: 200, body: 'no circle' },
})
const address = (name: string, archivedPath: string, path: string): Case => ({
  ...{ name, archived: { path: archivedPath, fields: plain, body: 'found' }, ask: { path } },
  comes: { status: 200, body: 'found' },
})
const long = `/long?${'q'.repeat(7_000)}`

export const requests: Case[] = [
  post('a form is answered by what it sent', 'POST', [form, 'q=cats'], 'of cats'),
  post('another form by another answer', 'POST', [form, 'q=dogs'], 'of dogs'),
  post('JSON is answered by what it says', 'POST', ['application/json', '{ "q": "birds" }'], 'of birds'),
  post('PUT is not POST', 'PUT', ['application/json', '{"q":"fish"}'], 'fish are put'),
  inexact('a form that differs only in a number against caches', [form, 'q=cats&_=1711'], 'of cats'),
  inexact('JSON that differs only in when it was sent', ['application/json', '{"q":"birds","time":1731000000000}'], 'of birds'), // prettier-ignore
  post('a form that differs in anything else has none', 'POST', [form, 'q=cats&page=2'], undefined),
  post('what was never sent has no answer', 'POST', [form, 'q=mice'], undefined),
  post('the same with another method has none', 'POST', ['application/json', '{"q":"fish"}'], undefined),
  post('a form of too many bytes has none', 'POST', [form, `q=${'x'.repeat(2_000_000)}`], undefined),
  {
    name: 'DELETE was not archived',
    archived: { fields: html, body: 'x' },
    ask: { method: 'DELETE' },
    comes: { status: 404 },
  },
  {
    name: 'TRACE was not archived',
    archived: { fields: html, body: 'x' },
    ask: { method: 'TRACE' },
    comes: { status: 404 },
  },
  {
    name: 'a method of its own was not archived',
    archived: { fields: html, body: 'x' },
    ask: { method: 'PROPFIND' },
    comes: { status: 404 },
  },
  granted('a page may ask another site for what is here', 'GET'),
  granted('a page may send to another site', 'POST'),
  granted('a page may use another method', 'PUT'),
  { name: 'what is not here is not granted', ask: question('GET') ?? {}, comes: { status: 404 } },
  across('a page reads what another site answered without a word about it', saying()),
  across(
    'and what was granted to another page',
    saying(['Access-Control-Allow-Origin', 'https://another.example']),
    [],
    said('https://another.example'),
  ),
  across('and what was granted to all', saying(['Access-Control-Allow-Origin', '*']), [], said('*')),
  across(
    'and what was granted to all, with credentials',
    saying(['Access-Control-Allow-Origin', '*']),
    [['Cookie', 'a=1']],
    said('*'),
  ),
  {
    ...across('a page of no origin too', saying(), [], { fields: { 'access-control-allow-origin': 'null' } }),
    ask: { fields: [['Origin', 'null']] },
  },
  across('and a part of it', saying(), [['Range', 'bytes=0-0']], { status: 206 }),
  across('and an error', { ...saying(), status: 404, reason: 'Not Found' }, [], { status: 404 }),
  across('and a redirect', { status: 302, reason: 'Found', fields: [['Location', 'https://a.example/']] }, [], {
    status: 302,
  }),
  {
    name: 'a request without an origin gets the archived field',
    archived: saying(['Access-Control-Allow-Origin', '*']),
    comes: { status: 200, fields: { 'access-control-allow-origin': '*', vary: 'accept-datetime' } },
  },
  {
    name: 'a missing resource grants no origin access',
    ask: { fields: [['Origin', 'https://page.example']] },
    comes: { status: 404, fields: { 'access-control-allow-origin': [] } },
  },
  {
    name: 'a service worker is refused',
    archived: { fields: [['Content-Type', 'text/javascript']], body: 'x' },
    ask: { fields: [['Service-Worker', 'script']] },
    comes: { status: 404, fields: { 'x-loupe': 'refused' } },
  },
  {
    name: 'a WebSocket is refused',
    archived: { fields: html, body: 'x' },
    ask: {
      fields: [
        ['Connection', 'Upgrade'],
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ],
    },
    comes: { status: 404, fields: { 'x-loupe': 'refused', connection: 'close' } },
    ways: ['plain', 'secure'],
  },
  {
    name: 'another protocol is not taken up',
    archived: { fields: html, body: 'x' },
    ask: {
      fields: [
        ['Connection', 'Upgrade, HTTP2-Settings'],
        ['Upgrade', 'h2c'],
        ['HTTP2-Settings', ''],
      ],
    },
    comes: { status: 200, body: 'x', fields: { upgrade: [] } },
    ways: ['plain', 'secure'],
  },
  {
    name: 'who expects to be told to go on is',
    archived: posts,
    ask: {
      method: 'POST',
      fields: [
        ['Content-Type', form],
        ['Expect', '100-continue'],
      ],
      content: 'q=cats',
    },
    comes: { status: 200, body: 'of cats' },
    ways: ['plain', 'secure'],
  },
  redirect('a redirect is passed on', 'https://other.example/there', { location: 'https://other.example/there' }),
  redirect('a redirect to a path is passed on', '/there', { location: '/there' }, 301),
  redirect('a redirect with letters beyond ASCII is passed on', '/caf\xc3\xa9', { location: '/caf\xc3\xa9' }, 307),
  {
    name: 'a redirect to itself gives way to the capture before',
    archived: [
      { status: 301, reason: 'Moved', fields: [['Location', '']], path: '/self' },
      { at: '2024-02-01T00:00:00Z', path: '/self', fields: plain, body: 'no circle' },
    ],
    ask: { path: '/self' },
    comes: { status: 200, body: 'no circle' },
  },
  ...['#there', '%2e'].map((location): Case => ({
    name: `a redirect from ${location === '%2e' ? 'a dot' : `itself to ${location}`} gives way to the capture before`,
    archived: [
      { status: 301, reason: 'Moved', fields: [['Location', location]], path: '/' },
      { at: '2024-02-01T00:00:00Z', path: '/', fields: plain, body: 'no circle' },
    ],
    ask: { path: '/' },
    comes: { status: 200, body: 'no circle' },
  })),
  circle('a circle of two gives way to the capture before', ['a', 'b']),
  circle('a circle of three too', ['a', 'b', 'c']),
  {
    name: 'a redirect to a circle is passed on, which is broken there',
    archived: [
      { status: 302, reason: 'Moved', fields: [['Location', 'b']], path: '/a' },
      { status: 302, reason: 'Moved', fields: [['Location', 'c']], path: '/b' },
      { status: 302, reason: 'Moved', fields: [['Location', 'b']], path: '/c' },
    ],
    ask: { path: '/a' },
    comes: { status: 302, fields: { location: 'b' } },
  },
  address('letters beyond ASCII, as a browser writes them', '/caf%C3%A9', '/caf%C3%A9'),
  address('the same, in small letters', '/caf%C3%A9', '/caf%c3%a9'),
  { ...address('the same, as bare bytes', '/caf%C3%A9', '/caf\xc3\xa9'), ways: ['http2'] },
  { ...address('letters of another time', '/caf%E9', '/caf\xe9'), ways: ['http2'] },
  {
    name: 'bare bytes are no address in HTTP/1.1',
    ask: { path: '/caf\xc3\xa9' },
    comes: { status: 400, fields: { connection: 'close' } },
    ways: ['plain', 'secure'],
  },
  address('what would be a question in the path', '/a%3Fb', '/a%3Fb'),
  address('two slashes', '//a', '//a'),
  address('a query in another order', '/a?x=1&y=2', '/a?y=2&x=1'),
  address('a question without words', '/a?', '/a'),
  address('a long address', long, long),
  {
    name: 'an address that is too long is refused',
    ask: { path: `/${'x'.repeat(70_000)}` },
    comes: { status: 431 },
    ways: ['plain', 'secure'],
  },
]
