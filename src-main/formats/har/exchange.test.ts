import { brotliCompressSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { payloadOf } from '../http/http.ts'
import { exchangeOf } from './exchange.ts'

interface Said {
  entry?: Record<string, unknown>
  request?: Record<string, unknown>
  response?: Record<string, unknown>
  headers?: [name: string, value: string][]
  content?: Record<string, unknown>
}

function exchange({ entry = {}, request = {}, response = {}, headers = [], content = {} }: Said) {
  const value = {
    startedDateTime: '2026-11-20T12:00:00.123+01:00',
    request: { method: 'GET', url: 'https://example.org/a?b=1#part', httpVersion: 'HTTP/1.1', headers: [], ...request },
    response: {
      ...{ status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', redirectURL: '' },
      headers: headers.map(([name, value]) => ({ name, value })),
      content: { size: 0, mimeType: '', ...content },
      ...response,
    },
    ...entry,
  }
  const { exchange: found, findings } = exchangeOf({ number: 1, offset: 0, length: 0, value })
  return { found, rules: findings.map(({ rule }) => rule) }
}

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('latin1')
const base64 = (bytes: Uint8Array | string) => ({ text: Buffer.from(bytes).toString('base64'), encoding: 'base64' })
const page = '<p>hello</p>'

const responses: [name: string, said: Said, head: string[], body: string | Uint8Array, rules: string[]][] = [
  [
    'as it was',
    { headers: [['Content-Length', '12']], content: { text: page } },
    ['HTTP/1.1 200 OK', 'Content-Length: 12'],
    page,
    [],
  ],
  [
    'the fields of undone codings are of the past',
    {
      headers: [
        ['content-encoding', 'gzip'],
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', '9'],
        ['X', 'y'],
      ],
      content: { text: page },
    },
    [
      ...['HTTP/1.1 200 OK', 'X-Archive-Orig-content-encoding: gzip', 'X-Archive-Orig-Transfer-Encoding: chunked'],
      ...['X-Archive-Orig-Content-Length: 9', 'X: y'],
    ],
    page,
    [],
  ],
  [
    'a coding that was left on stays',
    { headers: [['Content-Encoding', 'gzip']], content: base64(gzipSync(page)) },
    ['HTTP/1.1 200 OK', 'Content-Encoding: gzip'],
    gzipSync(page),
    [],
  ],
  [
    'brotli that was left on stays',
    { headers: [['Content-Encoding', 'br']], content: base64(brotliCompressSync(page)) },
    ['HTTP/1.1 200 OK', 'Content-Encoding: br'],
    brotliCompressSync(page),
    [],
  ],
  [
    'base64 content that is not encoded',
    { headers: [['Content-Encoding', 'br']], content: base64('\x89PNG and more') },
    ['HTTP/1.1 200 OK', 'X-Archive-Orig-Content-Encoding: br'],
    Buffer.from('\x89PNG and more'),
    [],
  ],
  [
    'pseudo fields are of HTTP/2 alone',
    {
      headers: [
        [':status', '200'],
        ['x', 'y'],
      ],
      response: { httpVersion: 'h2', statusText: '' },
    },
    ['HTTP/1.1 200 ', 'x: y'],
    '',
    [],
  ],
  [
    'Chrome joins cookies with line feeds',
    { headers: [['Set-Cookie', 'a=1; Path=/\nb=2']] },
    ['HTTP/1.1 200 OK', 'Set-Cookie: a=1; Path=/', 'Set-Cookie: b=2'],
    '',
    [],
  ],
  [
    'nothing can forge a field',
    {
      headers: [
        ['a b', 'x'],
        ['x', 'a\r\0b'],
      ],
      response: { statusText: 'O\r\nK' },
    },
    ['HTTP/1.1 200 O K', 'x: a b'],
    '',
    ['harFieldOdd', 'harFieldOdd'],
  ],
  ['bytes in fields', { headers: [['x', 'h\u00e9']] }, ['HTTP/1.1 200 OK', 'x: h\u00e9'], '', []],
  ['letters in fields', { headers: [['x', '\u0436']] }, ['HTTP/1.1 200 OK', 'x: \u00d0\u00b6'], '', []],
  [
    'a redirect without its field',
    { response: { status: 301, statusText: 'Moved', redirectURL: '/b' } },
    ['HTTP/1.1 301 Moved', 'Location: /b'],
    '',
    [],
  ],
  [
    'a redirect with its field',
    {
      headers: [['location', '/b']],
      response: { status: 302, statusText: 'Found', redirectURL: 'https://example.org/b' },
    },
    ['HTTP/1.1 302 Found', 'location: /b'],
    '',
    [],
  ],
  [
    'no body where none is allowed: its length describes another one',
    { headers: [['Content-Length', '12']], content: { size: 12 }, request: { method: 'HEAD' } },
    ['HTTP/1.1 200 OK', 'Content-Length: 12'],
    '',
    [],
  ],
  [
    'a body that was not exported',
    { headers: [['Content-Length', '12']], content: { size: 12 } },
    ['HTTP/1.1 200 OK', 'X-Archive-Orig-Content-Length: 12'],
    '',
    ['harNoBody'],
  ],
  [
    'a body that was not exported, as Playwright has it',
    { headers: [['Content-Length', '12']], content: { size: -1 } },
    ['HTTP/1.1 200 OK', 'X-Archive-Orig-Content-Length: 12'],
    '',
    ['harNoBody'],
  ],
  [
    'text in another charset is UTF-8 now',
    { headers: [['Content-Type', 'text/html; charset="iso-8859-1"; x=y']], content: { text: 'h\u00e9' } },
    [
      'HTTP/1.1 200 OK',
      'Content-Type: text/html; x=y; charset=utf-8',
      'X-Archive-Orig-Content-Type: text/html; charset="iso-8859-1"; x=y',
    ],
    Buffer.from('h\u00e9'),
    ['harCharsetChanged'],
  ],
  [
    'text in UTF-8 stays',
    { headers: [['Content-Type', 'text/html; charset=UTF-8']], content: { text: 'h\u00e9' } },
    ['HTTP/1.1 200 OK', 'Content-Type: text/html; charset=UTF-8'],
    Buffer.from('h\u00e9'),
    [],
  ],
  [
    'ASCII is the same in all',
    { headers: [['Content-Type', 'text/html; charset=gbk']], content: { text: page } },
    ['HTTP/1.1 200 OK', 'Content-Type: text/html; charset=gbk'],
    page,
    [],
  ],
  [
    'a picture that was read as text',
    { headers: [['Content-Type', 'image/png']], content: { text: '\ufffdPNG' } },
    ['HTTP/1.1 200 OK', 'Content-Type: image/png'],
    Buffer.from('\ufffdPNG'),
    ['harBodyDamaged'],
  ],
  [
    'a picture of one letter a byte',
    { headers: [['Content-Type', 'image/png']], content: { text: '\u0089PNG\u00ff' } },
    ['HTTP/1.1 200 OK', 'Content-Type: image/png'],
    Buffer.from('\u0089PNG\u00ff', 'latin1'),
    ['harBodyAsLetters'],
  ],
  [
    'an SVG is text',
    { headers: [['Content-Type', 'image/svg+xml']], content: { text: '<svg/>' } },
    ['HTTP/1.1 200 OK', 'Content-Type: image/svg+xml'],
    '<svg/>',
    [],
  ],
]

test.each(responses)('%s', (_name, said, head, body, rules) => {
  const made = exchange(said)
  expect(text(made.found?.response.head)).toBe(`${head.join('\r\n')}\r\n\r\n`)
  expect(text(made.found?.response.body)).toBe(text(Buffer.from(body)))
  expect(made.rules).toEqual(rules)
})

const leftOut: [name: string, said: Said, rule: string][] = [
  ['no answer, as Chrome writes it', { response: { status: 0 } }, 'harFailed'],
  ['no answer, as Playwright writes it', { response: { status: -1 } }, 'harFailed'],
  ['no response at all', { entry: { response: undefined } }, 'harFailed'],
  ['a data: URL', { request: { url: 'data:text/plain,x' } }, 'harNotWeb'],
  ['a WebSocket', { request: { url: 'wss://example.org/' }, response: { status: 101 } }, 'harNotWeb'],
  ['no URL', { request: { url: '' } }, 'harEntryDamaged'],
  ['no request', { entry: { request: null } }, 'harEntryDamaged'],
  ['no date', { entry: { startedDateTime: 'yesterday' } }, 'harDateInvalid'],
  ['a date that a record cannot have', { entry: { startedDateTime: '0000-01-01T00:00:00Z' } }, 'harDateInvalid'],
]

test.each(leftOut)('leaves out an entry with %s', (_name, said, rule) => {
  const made = exchange(said)
  expect(made.found).toBeUndefined()
  expect(made.rules).toEqual([rule])
})

const requests: [name: string, request: Record<string, unknown>, message: string][] = [
  [
    'Host is added where HTTP/2 had :authority',
    { headers: [{ name: ':authority', value: 'x' }] },
    'GET /a?b=1 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  ],
  [
    'Host stays where it is',
    {
      headers: [
        { name: 'A', value: 'b' },
        { name: 'host', value: 'x' },
      ],
    },
    'GET /a?b=1 HTTP/1.1\r\nA: b\r\nhost: x\r\n\r\n',
  ],
  [
    'a posted text',
    { method: 'POST', postData: { mimeType: 'text/plain', text: 'a=1' } },
    'POST /a?b=1 HTTP/1.1\r\nHost: example.org\r\n\r\na=1',
  ],
  [
    'a posted form, as its pairs',
    {
      method: 'POST',
      postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a b', value: '&' }] },
    },
    'POST /a?b=1 HTTP/1.1\r\nHost: example.org\r\n\r\na+b=%26',
  ],
  ['an invalid method', { method: 'GET /x HTTP/1.1\r\nA:' }, 'GET /a?b=1 HTTP/1.1\r\nHost: example.org\r\n\r\n'],
]

test.each(requests)('%s', (_name, request, message) => {
  const { found } = exchange({ request })
  expect(text(found?.request.head) + text(found?.request.body)).toBe(message)
})

test('reads time, address and protocol', () => {
  const { found } = exchange({ entry: { serverIPAddress: '[2001:db8::1]' }, response: { httpVersion: 'http/2.0' } })
  expect(found?.startedMs).toBe(Date.UTC(2026, 10, 20, 11, 0, 0, 123))
  expect(found).toMatchObject({ url: 'https://example.org/a?b=1', address: '2001:db8::1', protocol: 'h2' })
  expect(exchange({ entry: { serverIPAddress: 'localhost' } }).found?.address).toBeUndefined()
})

test('any entry gives one HTTP message with the body of the entry, without throwing', () => {
  const anything = fc.dictionary(fc.constantFrom('request', 'response', 'startedDateTime', 'x'), fc.jsonValue())
  fc.assert(fc.property(anything, (value) => void exchangeOf({ number: 1, offset: 0, length: 0, value })))
  const field = fc.tuple(
    fc.oneof(fc.string(), fc.constantFrom('Content-Encoding', 'Transfer-Encoding', 'content-length', 'Content-Type')),
    fc.oneof(fc.string(), fc.constantFrom('gzip', 'chunked', '5', 'text/html; charset=latin1')),
  )
  fc.assert(
    fc.property(fc.array(field), fc.uint8Array(), (headers, body) => {
      const { found } = exchange({ headers, content: base64(body) })
      const block = Buffer.concat([found?.response.head ?? Buffer.alloc(0), found?.response.body ?? Buffer.alloc(0)])
      const read = payloadOf(block, 1_000_000)
      expect(read.head?.bytes).toBe(found?.response.head.length)
      expect(text(read.payload)).toBe(text(body))
    }),
  )
})
