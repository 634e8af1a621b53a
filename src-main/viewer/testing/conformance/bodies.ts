/** Statuses, and how the end of a response is marked. */
import { chunked, html, large, middling, plain, type Case } from './case.ts'

const status = (code: number, reason: string, more: Partial<Case['comes']> = {}): Case => ({
  name: `a ${code} response is replayed as archived`,
  archived: { status: code, reason, fields: plain, body: 'said so' },
  comes: { status: code, reason, body: 'said so', fields: { 'content-length': '7' }, ...more },
})

const framed = (
  name: string,
  fields: readonly [string, string][],
  body: string | Uint8Array,
  expected: string,
): Case => ({
  name,
  archived: { fields: [...html, ...fields], body },
  comes: {
    ...{ status: 200, body: expected },
    fields: {
      'content-length': String(Buffer.byteLength(expected)),
      'transfer-encoding': [],
      connection: ['keep-alive'],
    },
  },
  ways: ['plain', 'secure'],
})

const head = (
  name: string,
  archived: Case['archived'],
  fields: Record<string, string | string[]>,
  code = 200,
): Case => ({
  ...{ name: `HEAD of ${name}`, archived: archived ?? [], ask: { method: 'HEAD' } },
  comes: { status: code, body: '', fields },
})

export const bodies: Case[] = [
  ...[
    status(200, 'OK'),
    status(203, 'Non-Authoritative Information'),
    status(299, 'Odd But Fine'),
    status(300, 'Multiple Choices'),
    status(400, 'Bad Request'),
    status(401, 'Unauthorized'),
    status(403, 'Forbidden'),
    status(404, 'Really Gone'),
    status(410, 'Gone'),
    status(418, "I'm a teapot"),
    status(451, 'Unavailable For Legal Reasons'),
    status(500, 'Internal Server Error'),
    status(503, 'Service Unavailable'),
    status(599, 'Odd'),
  ],
  {
    ...status(999, 'Request denied'),
    ways: ['plain', 'secure'],
  },
  {
    ...status(999, 'Request denied', { status: 500, fields: { 'x-archive-orig-status': '999' } }),
    name: 'a status that HTTP/2 does not allow is replaced by the first of its class',
    ways: ['http2'],
  },
  {
    name: 'a 204 response has no content, even if the record has some',
    archived: { status: 204, reason: 'No Content', fields: [['X-A', 'b']], body: 'surplus' },
    comes: { status: 204, body: '', fields: { 'content-length': [], 'x-a': 'b', etag: [] } },
  },
  {
    name: 'a 205 response has no content',
    archived: { status: 205, reason: 'Reset Content', fields: [], body: 'surplus' },
    comes: { status: 205, body: '', fields: { 'content-length': '0' } },
  },
  {
    name: 'an empty body has length 0',
    archived: { fields: html, body: '' },
    comes: { status: 200, body: '', fields: { 'content-length': '0' } },
  },
  {
    name: 'a large body is sent in full, with its length',
    archived: { fields: html, body: large },
    comes: { status: 200, body: large, fields: { 'content-length': String(large.length) } },
  },
  {
    name: 'a large chunked body is sent in full',
    archived: { fields: [...html, ['Transfer-Encoding', 'chunked']], body: chunked(large, 40_000) },
    comes: { status: 200, body: large, fields: { 'content-length': [] } },
  },
  {
    name: 'a medium-sized chunked body is sent with its length',
    archived: { fields: [...html, ['Transfer-Encoding', 'chunked']], body: chunked(middling, 40_000) },
    comes: { status: 200, body: middling, fields: { 'content-length': String(middling.length) } },
  },
  {
    name: 'a body with every byte value is unchanged',
    archived: {
      fields: [['Content-Type', 'application/octet-stream']],
      body: Uint8Array.from({ length: 256 }, (_, at) => at),
    },
    comes: { status: 200, body: Uint8Array.from({ length: 256 }, (_, at) => at) },
  },
  framed('chunks are joined', [['Transfer-Encoding', 'chunked']], chunked('one two three', 4), 'one two three'),
  framed(
    'the name of a transfer coding is case-insensitive',
    [['transfer-encoding', 'Chunked']],
    chunked('one two', 3),
    'one two',
  ),
  framed(
    'trailers of a chunked body are dropped',
    [
      ['Transfer-Encoding', 'chunked'],
      ['Trailer', 'X-T'],
    ],
    chunked('one', 2, 'X-T: 1\r\n'),
    'one',
  ),
  framed(
    'chunk extensions are not part of the content',
    [['Transfer-Encoding', 'chunked']],
    '3;a=b\r\none\r\n0\r\n\r\n',
    'one',
  ),
  framed(
    'Transfer-Encoding: chunked takes precedence over Content-Length',
    [
      ['Content-Length', '999'],
      ['Transfer-Encoding', 'chunked'],
    ],
    chunked('one', 3),
    'one',
  ),
  framed(
    'a body that is marked as chunked but is not is sent unchanged',
    [['Transfer-Encoding', 'chunked']],
    'no chunks at all',
    'no chunks at all',
  ),
  framed(
    'a truncated chunked body is sent as far as it goes',
    [['Transfer-Encoding', 'chunked']],
    '5\r\nfirst\r\n9\r\nsec',
    'firstsec',
  ),
  framed('identity is no transfer coding', [['Transfer-Encoding', 'identity']], 'plain', 'plain'),
  framed(
    'a Content-Length that is too large does not make the browser wait',
    [['Content-Length', '999']],
    'short',
    'short',
  ),
  framed(
    'a Content-Length that is too small does not truncate the body',
    [['Content-Length', '2']],
    'longer',
    'longer',
  ),
  ...(
    [
      ['a Content-Length below the stored length', '2', 'longer'],
      ['a Content-Length above the stored length', '999', 'shorter'],
      ['a Content-Length of 0', '0', 'something'],
    ] as const
  ).flatMap(([name, said, body]) => [
    {
      name: `${name} is sent under its archive name, next to the real length`,
      archived: { fields: [...html, ['Content-Length', said]] as const, body },
      comes: {
        ...{ status: 200, body },
        fields: { 'content-length': String(body.length), 'x-archive-orig-content-length': said },
      },
    },
    {
      name: `${name} does not affect a range`,
      archived: { fields: [...html, ['Content-Length', said]] as const, body },
      ask: { fields: [['Range', 'bytes=-3']] as const },
      comes: { status: 206, body: body.slice(-3), fields: { 'content-length': '3' } },
    },
  ]),
  {
    name: 'a body that was stored decoded, with the length of the encoded one, is sent in full',
    archived: { fields: [...html, ['Content-Length', '648']] as const, body: middling },
    comes: {
      ...{ status: 200, body: middling },
      fields: { 'content-length': String(middling.length), 'x-archive-orig-content-length': '648' },
    },
  },
  {
    name: 'a large body that was stored decoded is sent without a length',
    archived: { fields: [...html, ['Content-Length', '648']] as const, body: large },
    comes: {
      ...{ status: 200, body: large },
      fields: { 'content-length': [], 'x-archive-orig-content-length': '648' },
    },
  },
  framed('a Content-Length that is not a number is ignored', [['Content-Length', 'many']], 'some', 'some'),
  framed(
    'conflicting Content-Length headers are ignored',
    [
      ['Content-Length', '3'],
      ['Content-Length', '5'],
    ],
    'some',
    'some',
  ),
  framed('an archived Connection: close does not close the connection', [['Connection', 'close']], 'some', 'some'),
  head('a page', { fields: html, body: 'some' }, { 'content-length': '4', 'content-type': 'text/html' }),
  head('a large body', { fields: html, body: large }, { 'content-length': String(large.length) }),
  head(
    'a chunked body',
    { fields: [['Transfer-Encoding', 'chunked']], body: chunked('some', 2) },
    { 'content-length': '4' },
  ),
  head('an archived 404', { status: 404, reason: 'Gone', fields: html, body: 'gone' }, { 'content-length': '4' }, 404),
  head('a URL that was not captured', [], { 'x-loupe': 'not-in-archive' }, 404),
  head(
    'a page ignores Range, which is defined for GET only',
    { fields: html, body: 'some' },
    { 'content-length': '4', 'content-range': [] },
  ),
]
