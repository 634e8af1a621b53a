/** Statuses, and how the end of a response is marked. */
import { chunked, html, large, middling, plain, type Case } from './case.ts'

const status = (code: number, reason: string, more: Partial<Case['comes']> = {}): Case => ({
  name: `a ${code} is answered as archived`,
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
    name: 'a status that HTTP/2 has not is told by its class',
    ways: ['http2'],
  },
  {
    name: 'a 204 has no content, whatever was stored',
    archived: { status: 204, reason: 'No Content', fields: [['X-A', 'b']], body: 'surplus' },
    comes: { status: 204, body: '', fields: { 'content-length': [], 'x-a': 'b', etag: [] } },
  },
  {
    name: 'a 205 has no content',
    archived: { status: 205, reason: 'Reset Content', fields: [], body: 'surplus' },
    comes: { status: 205, body: '', fields: { 'content-length': '0' } },
  },
  {
    name: 'an empty body is whole',
    archived: { fields: html, body: '' },
    comes: { status: 200, body: '', fields: { 'content-length': '0' } },
  },
  {
    name: 'a large body comes whole, with its length',
    archived: { fields: html, body: large },
    comes: { status: 200, body: large, fields: { 'content-length': String(large.length) } },
  },
  {
    name: 'a large body in chunks comes whole',
    archived: { fields: [...html, ['Transfer-Encoding', 'chunked']], body: chunked(large, 40_000) },
    comes: { status: 200, body: large, fields: { 'content-length': [] } },
  },
  {
    name: 'one of middling size comes with its length',
    archived: { fields: [...html, ['Transfer-Encoding', 'chunked']], body: chunked(middling, 40_000) },
    comes: { status: 200, body: middling, fields: { 'content-length': String(middling.length) } },
  },
  {
    name: 'a body of all bytes is not touched',
    archived: {
      fields: [['Content-Type', 'application/octet-stream']],
      body: Uint8Array.from({ length: 256 }, (_, at) => at),
    },
    comes: { status: 200, body: Uint8Array.from({ length: 256 }, (_, at) => at) },
  },
  framed('chunks are put together', [['Transfer-Encoding', 'chunked']], chunked('one two three', 4), 'one two three'),
  framed(
    'the name of the coding in capitals is the same',
    [['transfer-encoding', 'Chunked']],
    chunked('one two', 3),
    'one two',
  ),
  framed(
    'chunks with trailers lose them',
    [
      ['Transfer-Encoding', 'chunked'],
      ['Trailer', 'X-T'],
    ],
    chunked('one', 2, 'X-T: 1\r\n'),
    'one',
  ),
  framed(
    'extensions of chunks are not content',
    [['Transfer-Encoding', 'chunked']],
    '3;a=b\r\none\r\n0\r\n\r\n',
    'one',
  ),
  framed(
    'chunks take precedence over a length',
    [
      ['Content-Length', '999'],
      ['Transfer-Encoding', 'chunked'],
    ],
    chunked('one', 3),
    'one',
  ),
  framed(
    'what says chunked and is not comes as it is',
    [['Transfer-Encoding', 'chunked']],
    'no chunks at all',
    'no chunks at all',
  ),
  framed(
    'chunks that were cut off give what there is',
    [['Transfer-Encoding', 'chunked']],
    '5\r\nfirst\r\n9\r\nsec',
    'firstsec',
  ),
  framed('identity is no transfer coding', [['Transfer-Encoding', 'identity']], 'plain', 'plain'),
  framed('a length that is too long does not make a browser wait', [['Content-Length', '999']], 'short', 'short'),
  framed('a length that is too short cuts nothing off', [['Content-Length', '2']], 'longer', 'longer'),
  ...(
    [
      ['a length of less', '2', 'longer'],
      ['a length of more', '999', 'shorter'],
      ['a length of nothing', '0', 'something'],
    ] as const
  ).flatMap(([name, said, body]) => [
    {
      name: `${name} than what was stored is sent next to the real length`,
      archived: { fields: [...html, ['Content-Length', said]] as const, body },
      comes: {
        ...{ status: 200, body },
        fields: { 'content-length': String(body.length), 'x-archive-orig-content-length': said },
      },
    },
    {
      name: `${name} than what was stored changes no part of it`,
      archived: { fields: [...html, ['Content-Length', said]] as const, body },
      ask: { fields: [['Range', 'bytes=-3']] as const },
      comes: { status: 206, body: body.slice(-3), fields: { 'content-length': '3' } },
    },
  ]),
  {
    name: 'what was stored decoded, under the length that it had before, comes whole',
    archived: { fields: [...html, ['Content-Length', '648']] as const, body: middling },
    comes: {
      ...{ status: 200, body: middling },
      fields: { 'content-length': String(middling.length), 'x-archive-orig-content-length': '648' },
    },
  },
  {
    name: 'and without a length where it is read as it is sent',
    archived: { fields: [...html, ['Content-Length', '648']] as const, body: large },
    comes: {
      ...{ status: 200, body: large },
      fields: { 'content-length': [], 'x-archive-orig-content-length': '648' },
    },
  },
  framed('a length that is not a number is ignored', [['Content-Length', 'many']], 'some', 'some'),
  framed(
    'lengths that differ are passed over',
    [
      ['Content-Length', '3'],
      ['Content-Length', '5'],
    ],
    'some',
    'some',
  ),
  framed('a connection that was closed goes on here', [['Connection', 'close']], 'some', 'some'),
  head('a page', { fields: html, body: 'some' }, { 'content-length': '4', 'content-type': 'text/html' }),
  head('a large body', { fields: html, body: large }, { 'content-length': String(large.length) }),
  head('chunks', { fields: [['Transfer-Encoding', 'chunked']], body: chunked('some', 2) }, { 'content-length': '4' }),
  head('an archived 404', { status: 404, reason: 'Gone', fields: html, body: 'gone' }, { 'content-length': '4' }, 404),
  head('what is not there', [], { 'x-loupe': 'not-in-archive' }, 404),
  head('a range, which is for GET', { fields: html, body: 'some' }, { 'content-length': '4', 'content-range': [] }),
]
