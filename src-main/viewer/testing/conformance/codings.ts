/** Content codings: as archived where the browser takes them, else undone (RFC 9110 8.4, 12.5.3). */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { chunked, html, large, type Archived, type Case } from './case.ts'

const coded = (coding: string, body: Uint8Array): Archived => ({
  fields: [...html, ['Content-Encoding', coding]],
  body,
})
const gzipped = coded('gzip', gzipSync('coded content'))

/** `decoded`: absent where a browser cannot. */
const asItIs = (
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
const undone = (
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
  asItIs('gzip is passed to a client that accepts it', gzipped, ['gzip, br', 'gzip'], 'coded content'),
  asItIs('gzip is passed to a client that accepts anything', gzipped, ['*', 'gzip'], 'coded content'),
  asItIs('x-gzip is gzip', coded('x-gzip', gzipSync('coded content')), ['gzip', 'x-gzip'], 'coded content'),
  asItIs('br is passed', coded('br', brotliCompressSync('coded content')), ['br', 'br'], 'coded content'),
  asItIs('zstd is passed', coded('zstd', zstdCompressSync('coded content')), ['zstd', 'zstd'], 'coded content'),
  asItIs('an unknown coding is passed', coded('sdch', Buffer.from('?')), ['gzip', 'sdch']),
  asItIs('a large coded body is passed', coded('gzip', gzipSync(large, { level: 0 })), ['gzip', 'gzip'], large),
  undone('gzip is undone for a client that names no coding', gzipped),
  {
    ...undone('an undone coding is named in a field', gzipped, 'br'),
    comes: {
      status: 200,
      body: 'coded content',
      fields: { 'x-archive-orig-content-encoding': 'gzip', vary: 'Accept-Encoding, accept-datetime' },
    },
  },
  undone('gzip is undone for a client that refuses it', gzipped, 'gzip;q=0, br'),
  undone('gzip is undone for a client that accepts no coding', gzipped, 'identity'),
  undone('deflate is undone', coded('deflate', deflateSync('coded content'))),
  undone('br is undone', coded('br', brotliCompressSync('coded content')), 'gzip'),
  undone('zstd is undone', coded('zstd', zstdCompressSync('coded content')), 'gzip'),
  undone(
    'two codings are undone, the last one first',
    coded('gzip, br', brotliCompressSync(gzipSync('coded content'))),
  ),
  {
    name: 'identity is no content coding',
    archived: coded('identity', Buffer.from('coded content')),
    comes: {
      ...{ status: 200, body: 'coded content', decoded: 'coded content' },
      fields: { 'content-encoding': 'identity', vary: 'accept-datetime' },
    },
  },
  undone('what was stored decoded is not decoded again', coded('gzip', Buffer.from('coded content')), 'gzip'),
  undone('a large coded body is undone', coded('gzip', gzipSync(large, { level: 0 })), 'br', large),
  undone(
    'a coding that was cut off gives what there is',
    coded('gzip', gzipSync(Buffer.from('coded content'), { level: 0 }).subarray(0, 25)),
    'br',
    'coded conte'.slice(0, 10),
  ),
  undone('chunks of what is coded', {
    fields: [...html, ['Content-Encoding', 'gzip'], ['Transfer-Encoding', 'chunked']],
    body: chunked(gzipSync('coded content'), 5),
  }),
  undone('what was coded for the way only', {
    fields: [...html, ['Transfer-Encoding', 'gzip, chunked']],
    body: chunked(gzipSync('coded content'), 5),
  }),
  {
    name: 'what is not what its coding says cannot be read',
    archived: coded('br', Buffer.from('this is no brotli at all, and quite long')),
    ask: { fields: [['Accept-Encoding', 'gzip']] },
    comes: { status: 503, fields: { 'x-loupe': 'unreadable' } },
  },
  {
    name: 'deflate without its wrapping',
    archived: coded('deflate', deflateRawSync('coded content')),
    comes: { status: 200, body: 'coded content', decoded: 'coded content' },
  },
]
