/** Requests: methods and their content, cross-origin requests, upgrades, redirects, URLs. */
import { html, plain, type Archived, type Case } from './case.ts'

const form = 'application/x-www-form-urlencoded'

/** The records of a request and its response, as a crawler writes them. */
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

const preflight = (method: string): Case['ask'] => ({
  method: 'OPTIONS',
  fields: [
    ['Origin', 'https://page.example'],
    ['Access-Control-Request-Method', method],
    ['Access-Control-Request-Headers', 'x-mine'],
  ],
})
const granted = (name: string, method: string): Case => ({
  ...{ name, archived: { fields: html, body: 'x' } },
  ask: preflight(method) ?? {},
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

/** A cross-origin request with Origin. Crawlers send no Origin, so captures rarely grant access. */
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
/** Each path redirects to the next and the last to the first, whose previous capture has content. */
const loop = (name: string, paths: readonly string[]): Case => ({
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
  post('a form selects the capture with the same form', 'POST', [form, 'q=cats'], 'of cats'),
  post('another form selects another capture', 'POST', [form, 'q=dogs'], 'of dogs'),
  post(
    'a JSON body matches by its content, not its spacing',
    'POST',
    ['application/json', '{ "q": "birds" }'],
    'of birds',
  ),
  post('a PUT request matches a captured PUT', 'PUT', ['application/json', '{"q":"fish"}'], 'fish are put'),
  inexact('a form that differs only in a cache-busting number matches', [form, 'q=cats&_=1711'], 'of cats'),
  inexact('a JSON body that differs only in its time of sending matches', ['application/json', '{"q":"birds","time":1731000000000}'], 'of birds'), // prettier-ignore
  post('a form with any other difference is missing', 'POST', [form, 'q=cats&page=2'], undefined),
  post('a form that was never captured is missing', 'POST', [form, 'q=mice'], undefined),
  post('the same content with another method is missing', 'POST', ['application/json', '{"q":"fish"}'], undefined),
  post('an oversized form is missing', 'POST', [form, `q=${'x'.repeat(2_000_000)}`], undefined),
  {
    name: 'DELETE of a captured URL is missing',
    archived: { fields: html, body: 'x' },
    ask: { method: 'DELETE' },
    comes: { status: 404 },
  },
  {
    name: 'TRACE of a captured URL is missing',
    archived: { fields: html, body: 'x' },
    ask: { method: 'TRACE' },
    comes: { status: 404 },
  },
  {
    name: 'an extension method on a captured URL is missing',
    archived: { fields: html, body: 'x' },
    ask: { method: 'PROPFIND' },
    comes: { status: 404 },
  },
  granted('a preflight for GET of a captured URL is granted', 'GET'),
  granted('a preflight for POST to a captured URL is granted', 'POST'),
  granted('a preflight for PUT to a captured URL is granted', 'PUT'),
  { name: 'a preflight for a missing URL is not granted', ask: preflight('GET') ?? {}, comes: { status: 404 } },
  across('a cross-origin page may read a response without CORS headers', saying()),
  across(
    'a cross-origin page may read a response that was granted to another origin',
    saying(['Access-Control-Allow-Origin', 'https://another.example']),
    [],
    said('https://another.example'),
  ),
  across(
    'a cross-origin page may read a response that was granted to all',
    saying(['Access-Control-Allow-Origin', '*']),
    [],
    said('*'),
  ),
  across(
    'a cross-origin request with credentials may read a response that was granted to all',
    saying(['Access-Control-Allow-Origin', '*']),
    [['Cookie', 'a=1']],
    said('*'),
  ),
  {
    ...across('a page with an opaque origin may read a response', saying(), [], {
      fields: { 'access-control-allow-origin': 'null' },
    }),
    ask: { fields: [['Origin', 'null']] },
  },
  across('a cross-origin page may read a range', saying(), [['Range', 'bytes=0-0']], { status: 206 }),
  across('a cross-origin page may read an error', { ...saying(), status: 404, reason: 'Not Found' }, [], {
    status: 404,
  }),
  across(
    'a cross-origin page may follow a redirect',
    { status: 302, reason: 'Found', fields: [['Location', 'https://a.example/']] },
    [],
    {
      status: 302,
    },
  ),
  {
    name: 'a request without Origin gets the archived header',
    archived: saying(['Access-Control-Allow-Origin', '*']),
    comes: { status: 200, fields: { 'access-control-allow-origin': '*', vary: 'accept-datetime' } },
  },
  {
    name: 'the reply for a missing URL grants no access',
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
    name: 'an upgrade to another protocol is ignored',
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
    name: 'Expect: 100-continue is accepted',
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
  redirect('a redirect to a non-ASCII path is passed on', '/caf\xc3\xa9', { location: '/caf\xc3\xa9' }, 307),
  {
    name: 'a redirect to itself is replaced by the previous capture',
    archived: [
      { status: 301, reason: 'Moved', fields: [['Location', '']], path: '/self' },
      { at: '2024-02-01T00:00:00Z', path: '/self', fields: plain, body: 'no circle' },
    ],
    ask: { path: '/self' },
    comes: { status: 200, body: 'no circle' },
  },
  ...['#there', '%2e'].map((location): Case => ({
    name: `a redirect to itself as ${location} is replaced by the previous capture`,
    archived: [
      { status: 301, reason: 'Moved', fields: [['Location', location]], path: '/' },
      { at: '2024-02-01T00:00:00Z', path: '/', fields: plain, body: 'no circle' },
    ],
    ask: { path: '/' },
    comes: { status: 200, body: 'no circle' },
  })),
  loop('a redirect loop of two URLs is replaced by the previous capture', ['a', 'b']),
  loop('a redirect loop of three URLs is replaced by the previous capture', ['a', 'b', 'c']),
  {
    name: 'a redirect into a loop is passed on, and the loop is broken later',
    archived: [
      { status: 302, reason: 'Moved', fields: [['Location', 'b']], path: '/a' },
      { status: 302, reason: 'Moved', fields: [['Location', 'c']], path: '/b' },
      { status: 302, reason: 'Moved', fields: [['Location', 'b']], path: '/c' },
    ],
    ask: { path: '/a' },
    comes: { status: 302, fields: { location: 'b' } },
  },
  address('a percent-encoded non-ASCII path is found', '/caf%C3%A9', '/caf%C3%A9'),
  address('percent-encoding is case-insensitive', '/caf%C3%A9', '/caf%c3%a9'),
  {
    ...address('raw UTF-8 bytes in a path match their percent-encoding', '/caf%C3%A9', '/caf\xc3\xa9'),
    ways: ['http2'],
  },
  { ...address('raw Latin-1 bytes in a path match their percent-encoding', '/caf%E9', '/caf\xe9'), ways: ['http2'] },
  {
    name: 'raw bytes in a path are refused over HTTP/1.1',
    ask: { path: '/caf\xc3\xa9' },
    comes: { status: 400, fields: { connection: 'close' } },
    ways: ['plain', 'secure'],
  },
  address('a percent-encoded question mark in the path is found', '/a%3Fb', '/a%3Fb'),
  address('a path with two slashes is found', '//a', '//a'),
  address('the order of query parameters does not matter', '/a?x=1&y=2', '/a?y=2&x=1'),
  address('an empty query is ignored', '/a?', '/a'),
  address('a long URL is found', long, long),
  {
    name: 'a URL that is too long is refused',
    ask: { path: `/${'x'.repeat(70_000)}` },
    comes: { status: 431 },
    ways: ['plain', 'secure'],
  },
]
