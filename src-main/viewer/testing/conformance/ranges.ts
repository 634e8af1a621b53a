/** Range requests (RFC 9110 14). Another desktop replay tool fails the first four rows. */
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
  part('a range includes its last byte', 'bytes=0-9', ['0123456789', 'bytes 0-9/10']),
  part('a suffix range returns the last bytes', 'bytes=-3', ['789', 'bytes 7-9/10']),
  none('a range after the end is refused', 'bytes=10-'),
  part('a range may have a single byte', 'bytes=4-4', ['4', 'bytes 4-4/10']),
  part('an open range extends to the end', 'bytes=7-', ['789', 'bytes 7-9/10']),
  part('a suffix range longer than the body returns the whole body', 'bytes=-30', ['0123456789', 'bytes 0-9/10']),
  part('a range beyond the end stops at the end', 'bytes=8-99', ['89', 'bytes 8-9/10']),
  part('the range unit is case-insensitive', 'BYTES=1-2', ['12', 'bytes 1-2/10']),
  part('spaces in Range are ignored', 'bytes = 1 - 2', ['12', 'bytes 1-2/10']),
  part('adjacent ranges are merged', 'bytes=1-2,3-5', ['12345', 'bytes 1-5/10']),
  part('overlapping ranges are merged', 'bytes=1-5,3-7', ['1234567', 'bytes 1-7/10']),
  part('of several ranges, those after the end are dropped', 'bytes=1-2,50-60', ['12', 'bytes 1-2/10']),
  part('If-Range with the archived ETag matches', 'bytes=1-2', ['12', 'bytes 1-2/10'], {
    fields: [['If-Range', '"ten"']],
  }),
  part('If-Range with the received ETag matches', 'bytes=1-2', ['12', 'bytes 1-2/10'], { eTagIn: 'If-Range' }),
  part('If-Range with the archived date matches', 'bytes=1-2', ['12', 'bytes 1-2/10'], {
    fields: [['If-Range', 'Thu, 01 Feb 2024 00:00:00 GMT']],
  }),
  whole('If-Range with another ETag does not match', 'bytes=1-2', { fields: [['If-Range', '"eleven"']] }),
  whole('If-Range with a weak ETag does not match', 'bytes=1-2', { fields: [['If-Range', 'W/"ten"']] }),
  whole('If-Range with a later date does not match', 'bytes=1-2', {
    fields: [['If-Range', 'Fri, 02 Feb 2024 00:00:00 GMT']],
  }),
  whole('a range in another unit is ignored', 'items=1-2'),
  whole('a range that ends before it begins is ignored', 'bytes=5-4'),
  whole('a malformed range is ignored', 'bytes=a-b'),
  whole('one malformed range makes the viewer ignore all', 'bytes=1-2,x'),
  whole('too many ranges are ignored', `bytes=${Array.from({ length: 40 }, (_, at) => `${at}-${at}`).join(',')}`),
  none('a suffix range of 0 bytes is refused', 'bytes=-0'),
  none('a range of an empty body is refused', 'bytes=0-', { fields: html, body: '' }, 0),
  {
    name: 'several ranges are returned in order',
    archived: ten,
    ask: { fields: [['Range', 'bytes=0-1,4-5,-1']] },
    comes: {
      ...{ status: 206, fields: { 'content-range': [] } },
      bodyHas: 'Content-Type: text/html\r\nContent-Range: bytes 4-5/10\r\n\r\n45\r\n--',
    },
  },
  {
    name: 'several ranges of a large body are returned',
    archived: largeChunked,
    ask: { fields: [['Range', 'bytes=600000-600004,1-3']] },
    comes: {
      status: 206,
      bodyHas: `Content-Range: bytes 600000-600004/1600000\r\n\r\n${large.subarray(600_000, 600_005).toString()}\r\n--`,
    },
  },
  ...(
    [
      ['a chunked body', largeChunked],
      ['a gzip body', largeGzip],
      ['a large body', { fields: html, body: large }],
    ] as const
  ).flatMap(([name, archived]) => [
    of(`a range from the middle of ${name} is returned`, archived, 'bytes=600000-600009', {
      ...{ status: 206, body: large.subarray(600_000, 600_010) },
      fields: { 'content-range': 'bytes 600000-600009/1600000' },
    }),
    of(`a suffix range of ${name} is returned`, archived, 'bytes=-5', { status: 206, body: large.subarray(-5) }),
    none(`a range after the end of ${name} is refused`, 'bytes=1600000-', archived, 1_600_000),
  ]),
  of(
    'a range of an encoded body refers to the decoded content',
    { fields: [...html, ['Content-Encoding', 'gzip']], body: gzipSync('coded content') },
    'bytes=0-4',
    { status: 206, body: 'coded', fields: { 'content-encoding': [], 'content-range': 'bytes 0-4/13' } },
    [['Accept-Encoding', 'gzip']],
  ),
  of('an archived error ignores Range', { status: 404, reason: 'Gone', fields: html, body: 'gone' }, 'bytes=0-1', {
    ...{ status: 404, body: 'gone' },
    fields: { 'content-range': [], 'accept-ranges': [] },
  }),
  of('a range of a missing URL is missing', [], 'bytes=0-1', { status: 404, fields: { 'x-loupe': 'not-in-archive' } }),
  of('an archived part provides the ranges within it', stored('bytes 10-19/100'), 'bytes=12-14', {
    ...{ status: 206, body: 'cde' },
    fields: { 'content-range': 'bytes 12-14/100' },
  }),
  of('an open range ends with the archived part', stored('bytes 10-19/100'), 'bytes=15-', {
    ...{ status: 206, body: 'fghij' },
    fields: { 'content-range': 'bytes 15-19/100' },
  }),
  of('an archived part of unknown total length provides its ranges', stored('bytes 10-19/*'), 'bytes=10-11', {
    ...{ status: 206, body: 'ab' },
    fields: { 'content-range': 'bytes 10-11/*' },
  }),
  of('a range outside the archived part is missing', stored('bytes 10-19/100'), 'bytes=0-5', { status: 404 }),
  of('an archived part without Content-Range is not used', { ...stored(''), fields: html }, 'bytes=0-5', {
    status: 404,
  }),
  {
    name: 'an archived part does not replace the whole body',
    archived: stored('bytes 10-19/100'),
    comes: { status: 404 },
  },
  {
    name: 'an archived part that covers everything is the whole body',
    archived: stored('bytes 0-9/10'),
    comes: { status: 200, reason: 'OK', body: 'abcdefghij', fields: { 'content-range': [] } },
  },
]
