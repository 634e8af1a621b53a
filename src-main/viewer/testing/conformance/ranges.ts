/** Parts of answers (RFC 9110 14). The first four are what another desktop replay tool does wrong. */
import { gzipSync } from 'node:zlib'
import { chunked, html, large, type Ask, type Case, type Comes } from './case.ts'

const ten = {
  fields: [...html, ['ETag', '"ten"'], ['Last-Modified', 'Thu, 01 Feb 2024 00:00:00 GMT']] as const,
  body: '0123456789',
}

const part = (name: string, range: string, [body, contentRange]: [string, string], ask: Ask = {}): Case => ({
  ...{ name, archived: ten, ask: { ...ask, fields: [['Range', range], ...(ask.fields ?? [])] } },
  comes: {
    ...{ status: 206, reason: 'Partial Content', body },
    fields: { 'content-range': contentRange, 'content-length': String(body.length), 'accept-ranges': 'bytes' },
  },
})
const whole = (name: string, range: string, ask: Ask = {}): Case => ({
  ...{ name, archived: ten, ask: { ...ask, fields: [['Range', range], ...(ask.fields ?? [])] } },
  comes: { status: 200, body: '0123456789', fields: { 'content-range': [], 'content-length': '10' } },
})
const none = (name: string, range: string, archived: Case['archived'] = ten, bytes = 10): Case => ({
  ...{ name, archived, ask: { fields: [['Range', range]] } },
  comes: {
    ...{ status: 416, reason: 'Range Not Satisfiable', body: '' },
    fields: { 'content-range': `bytes */${bytes}`, 'content-length': '0' },
  },
})
const of = (
  name: string,
  archived: Case['archived'],
  range: string,
  comes: Comes,
  fields: Ask['fields'] = [],
): Case => ({
  ...{ name, archived: archived ?? [], comes },
  ask: { fields: [['Range', range], ...fields] },
})
const largeChunked = { fields: [...html, ['Transfer-Encoding', 'chunked']] as const, body: chunked(large, 50_000) }
const largeGzip = { fields: [...html, ['Content-Encoding', 'gzip']] as const, body: gzipSync(large, { level: 0 }) }
const stored = (contentRange: string) => ({
  ...{ status: 206, reason: 'Partial', body: 'abcdefghij' },
  fields: [...html, ['Content-Range', contentRange]] as const,
})

export const ranges: Case[] = [
  part('a part has its last byte', 'bytes=0-9', ['0123456789', 'bytes 0-9/10']),
  part('the last bytes come from the end', 'bytes=-3', ['789', 'bytes 7-9/10']),
  none('a part after the end is refused', 'bytes=10-'),
  part('a part of one byte is one byte', 'bytes=4-4', ['4', 'bytes 4-4/10']),
  part('an open part goes to the end', 'bytes=7-', ['789', 'bytes 7-9/10']),
  part('more than all of the end is all', 'bytes=-30', ['0123456789', 'bytes 0-9/10']),
  part('a part that goes past the end stops there', 'bytes=8-99', ['89', 'bytes 8-9/10']),
  part('the unit in capitals is the same', 'BYTES=1-2', ['12', 'bytes 1-2/10']),
  part('blanks do not matter', 'bytes = 1 - 2', ['12', 'bytes 1-2/10']),
  part('parts that touch are one', 'bytes=1-2,3-5', ['12345', 'bytes 1-5/10']),
  part('parts that overlap are one', 'bytes=1-5,3-7', ['1234567', 'bytes 1-7/10']),
  part('parts after the end are left out', 'bytes=1-2,50-60', ['12', 'bytes 1-2/10']),
  part('the ETag that was archived agrees', 'bytes=1-2', ['12', 'bytes 1-2/10'], { fields: [['If-Range', '"ten"']] }),
  part('the ETag that came agrees', 'bytes=1-2', ['12', 'bytes 1-2/10'], { eTagIn: 'If-Range' }),
  part('the date agrees', 'bytes=1-2', ['12', 'bytes 1-2/10'], {
    fields: [['If-Range', 'Thu, 01 Feb 2024 00:00:00 GMT']],
  }),
  whole('another ETag does not agree', 'bytes=1-2', { fields: [['If-Range', '"eleven"']] }),
  whole('a weak ETag does not agree', 'bytes=1-2', { fields: [['If-Range', 'W/"ten"']] }),
  whole('a later date does not agree', 'bytes=1-2', { fields: [['If-Range', 'Fri, 02 Feb 2024 00:00:00 GMT']] }),
  whole('another unit is ignored', 'items=1-2'),
  whole('a part that ends before it begins is ignored', 'bytes=5-4'),
  whole('a malformed part is ignored', 'bytes=a-b'),
  whole('a malformed part makes all parts ignored', 'bytes=1-2,x'),
  whole('too many parts are ignored', `bytes=${Array.from({ length: 40 }, (_, at) => `${at}-${at}`).join(',')}`),
  none('no byte of the end is refused', 'bytes=-0'),
  none('no part of an empty body is there', 'bytes=0-', { fields: html, body: '' }, 0),
  {
    name: 'several parts come in order',
    archived: ten,
    ask: { fields: [['Range', 'bytes=0-1,4-5,-1']] },
    comes: {
      ...{ status: 206, fields: { 'content-range': [] } },
      bodyHas: 'Content-Type: text/html\r\nContent-Range: bytes 4-5/10\r\n\r\n45\r\n--',
    },
  },
  {
    name: 'several parts of a large body',
    archived: largeChunked,
    ask: { fields: [['Range', 'bytes=600000-600004,1-3']] },
    comes: {
      status: 206,
      bodyHas: `Content-Range: bytes 600000-600004/1600000\r\n\r\n${large.subarray(600_000, 600_005).toString()}\r\n--`,
    },
  },
  ...(
    [
      ['chunks', largeChunked],
      ['gzip', largeGzip],
      ['a large body', { fields: html, body: large }],
    ] as const
  ).flatMap(([name, archived]) => [
    of(`a part from the middle of ${name}`, archived, 'bytes=600000-600009', {
      ...{ status: 206, body: large.subarray(600_000, 600_010) },
      fields: { 'content-range': 'bytes 600000-600009/1600000' },
    }),
    of(`the end of ${name}`, archived, 'bytes=-5', { status: 206, body: large.subarray(-5) }),
    none(`a part after the end of ${name}`, 'bytes=1600000-', archived, 1_600_000),
  ]),
  of(
    'a part of what is coded is one of what it says',
    { fields: [...html, ['Content-Encoding', 'gzip']], body: gzipSync('coded content') },
    'bytes=0-4',
    { status: 206, body: 'coded', fields: { 'content-encoding': [], 'content-range': 'bytes 0-4/13' } },
    [['Accept-Encoding', 'gzip']],
  ),
  of('an archived error has no parts', { status: 404, reason: 'Gone', fields: html, body: 'gone' }, 'bytes=0-1', {
    ...{ status: 404, body: 'gone' },
    fields: { 'content-range': [], 'accept-ranges': [] },
  }),
  of('what is not there has no parts', [], 'bytes=0-1', { status: 404, fields: { 'x-loupe': 'not-in-archive' } }),
  of('a part that was archived answers for its bytes', stored('bytes 10-19/100'), 'bytes=12-14', {
    ...{ status: 206, body: 'cde' },
    fields: { 'content-range': 'bytes 12-14/100' },
  }),
  of('a part that was archived ends where it ended', stored('bytes 10-19/100'), 'bytes=15-', {
    ...{ status: 206, body: 'fghij' },
    fields: { 'content-range': 'bytes 15-19/100' },
  }),
  of('a part of a representation of unknown length', stored('bytes 10-19/*'), 'bytes=10-11', {
    ...{ status: 206, body: 'ab' },
    fields: { 'content-range': 'bytes 10-11/*' },
  }),
  of('a part that was not archived is missing', stored('bytes 10-19/100'), 'bytes=0-5', { status: 404 }),
  of('a part that does not say where it belongs is no answer', { ...stored(''), fields: html }, 'bytes=0-5', {
    status: 404,
  }),
  {
    name: 'an archived part is not the whole',
    archived: stored('bytes 10-19/100'),
    comes: { status: 404 },
  },
  {
    name: 'a part that was all is the whole',
    archived: stored('bytes 0-9/10'),
    comes: { status: 200, reason: 'OK', body: 'abcdefghij', fields: { 'content-range': [] } },
  },
]
