/** Content codings: sent as archived if the browser accepts them, otherwise decoded (RFC 9110 8.4, 12.5.3). */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { chunked, html, large, type Archived, type Case } from './case.ts'

const coded = (coding: string, body: Uint8Array): Archived => ({
  fields: [...html, ['Content-Encoding', coding]],
  body,
})
const gzipped = coded('gzip', gzipSync('coded content'))

/** `decoded` is absent if browsers cannot decode the coding. */
const passes = (
  name: string,
  archived: Archived,
  [accepted, coding]: readonly [string, string],
  decoded?: string | Uint8Array,
): Case => ({
  ...{ name, archived, ask: { fields: [['Accept-Encoding', accepted]] } },
  comes: {
    ...{ status: 200, body: archived.body ?? '', ...(decoded !== undefined && { decoded }) },
    fields: {
      ...{ 'content-encoding': coding, vary: 'Accept-Encoding, accept-datetime' },
      'content-length': String(Buffer.from(archived.body ?? '').length),
    },
  },
})
const decodes = (
  name: string,
  archived: Archived,
  accepted?: string,
  body: string | Uint8Array = 'coded content',
): Case => ({
  ...{ name, archived },
  ...(accepted !== undefined && { ask: { fields: [['Accept-Encoding', accepted]] } }),
  comes: { status: 200, body, decoded: body, fields: { 'content-encoding': [] } },
})

export const codings: Case[] = [
  passes('gzip is sent as archived to a client that accepts it', gzipped, ['gzip, br', 'gzip'], 'coded content'),
  passes('gzip is sent as archived to a client that accepts any coding', gzipped, ['*', 'gzip'], 'coded content'),
  passes('x-gzip is an alias of gzip', coded('x-gzip', gzipSync('coded content')), ['gzip', 'x-gzip'], 'coded content'),
  passes('br is sent as archived', coded('br', brotliCompressSync('coded content')), ['br', 'br'], 'coded content'),
  passes(
    'zstd is sent as archived',
    coded('zstd', zstdCompressSync('coded content')),
    ['zstd', 'zstd'],
    'coded content',
  ),
  passes('an unknown coding is sent as archived', coded('sdch', Buffer.from('?')), ['gzip', 'sdch']),
  passes(
    'a large encoded body is sent as archived',
    coded('gzip', gzipSync(large, { level: 0 })),
    ['gzip', 'gzip'],
    large,
  ),
  decodes('gzip is decoded for a client without Accept-Encoding', gzipped),
  {
    ...decodes('a removed coding is reported in a header', gzipped, 'br'),
    comes: {
      status: 200,
      body: 'coded content',
      fields: { 'x-archive-orig-content-encoding': 'gzip', vary: 'Accept-Encoding, accept-datetime' },
    },
  },
  decodes('gzip is decoded for a client that refuses it', gzipped, 'gzip;q=0, br'),
  decodes('gzip is decoded for a client that accepts only identity', gzipped, 'identity'),
  decodes('deflate is decoded', coded('deflate', deflateSync('coded content'))),
  decodes('br is decoded', coded('br', brotliCompressSync('coded content')), 'gzip'),
  decodes('zstd is decoded', coded('zstd', zstdCompressSync('coded content')), 'gzip'),
  decodes('two codings are decoded in reverse order', coded('gzip, br', brotliCompressSync(gzipSync('coded content')))),
  {
    name: 'identity is no content coding',
    archived: coded('identity', Buffer.from('coded content')),
    comes: {
      ...{ status: 200, body: 'coded content', decoded: 'coded content' },
      fields: { 'content-encoding': 'identity', vary: 'accept-datetime' },
    },
  },
  decodes('a body that was stored decoded is not decoded again', coded('gzip', Buffer.from('coded content')), 'gzip'),
  decodes('a large encoded body is decoded', coded('gzip', gzipSync(large, { level: 0 })), 'br', large),
  decodes(
    'a truncated encoded body is decoded as far as it goes',
    coded('gzip', gzipSync(Buffer.from('coded content'), { level: 0 }).subarray(0, 25)),
    'br',
    'coded conte'.slice(0, 10),
  ),
  decodes('a chunked body with a content coding is decoded', {
    fields: [...html, ['Content-Encoding', 'gzip'], ['Transfer-Encoding', 'chunked']],
    body: chunked(gzipSync('coded content'), 5),
  }),
  decodes('a transfer coding is decoded', {
    fields: [...html, ['Transfer-Encoding', 'gzip, chunked']],
    body: chunked(gzipSync('coded content'), 5),
  }),
  {
    name: 'a body that does not match its coding is unreadable',
    archived: coded('br', Buffer.from('this is no brotli at all, and quite long')),
    ask: { fields: [['Accept-Encoding', 'gzip']] },
    comes: { status: 503, fields: { 'x-loupe': 'unreadable' } },
  },
  {
    name: 'raw deflate without the zlib wrapper is accepted',
    archived: coded('deflate', deflateRawSync('coded content')),
    comes: { status: 200, body: 'coded content', decoded: 'coded content' },
  },
]
