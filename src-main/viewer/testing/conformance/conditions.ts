/** Conditional requests (RFC 9110 13) and what a browser may cache. */
import { html, type Ask, type Case } from './case.ts'

const date = 'Thu, 01 Feb 2024 00:00:00 GMT'
const dated = {
  fields: [...html, ['ETag', 'W/"v1"'], ['Last-Modified', date], ['Vary', 'Cookie'], ['Set-Cookie', 'a=b']] as const,
  body: 'some',
}

const unmodified = (name: string, ask: Ask): Case => ({
  ...{ name, archived: dated, ask },
  comes: {
    ...{ status: 304, reason: 'Not Modified', body: '' },
    fields: {
      ...{ 'content-type': [], 'content-length': [], 'set-cookie': [], 'last-modified': [] },
      ...{
        'cache-control': 'no-cache',
        vary: 'Cookie, accept-datetime',
        'memento-datetime': 'Thu, 29 Feb 2024 12:30:05 GMT',
      },
    },
  },
})
const other = (name: string, ask: Ask): Case => ({
  ...{ name, archived: dated, ask },
  comes: { status: 200, body: 'some', fields: { 'last-modified': date } },
})
const refused = (name: string, ask: Ask): Case => ({
  ...{ name, archived: dated, ask },
  comes: {
    ...{ status: 412, reason: 'Precondition Failed', body: '' },
    fields: { 'content-length': '0', 'content-type': [], 'set-cookie': [], etag: [], 'cache-control': 'no-cache' },
  },
})

export const conditions: Case[] = [
  unmodified('If-None-Match with the received ETag returns 304', { eTagIn: 'If-None-Match' }),
  unmodified('HEAD with the received ETag in If-None-Match returns 304', { method: 'HEAD', eTagIn: 'If-None-Match' }),
  unmodified('If-None-Match with the archived ETag returns 304', { fields: [['If-None-Match', '"v1"']] }),
  unmodified('If-None-Match returns 304 if one of several ETags matches', {
    fields: [['If-None-Match', '"v0", W/"v1"']],
  }),
  unmodified('If-None-Match: * returns 304', { fields: [['If-None-Match', '*']] }),
  unmodified('If-Modified-Since with the archived date returns 304', { fields: [['If-Modified-Since', date]] }),
  other('If-None-Match with another ETag returns the body', { fields: [['If-None-Match', '"v2"']] }),
  other('If-Modified-Since with a later date returns the body: another capture may have that date', {
    fields: [['If-Modified-Since', 'Fri, 02 Feb 2024 00:00:00 GMT']],
  }),
  other('If-Modified-Since with an earlier date returns the body', {
    fields: [['If-Modified-Since', 'Wed, 31 Jan 2024 00:00:00 GMT']],
  }),
  other('If-None-Match takes precedence over If-Modified-Since', {
    fields: [
      ['If-None-Match', '"v2"'],
      ['If-Modified-Since', date],
    ],
  }),
  other('If-Match with the received ETag returns the body', { eTagIn: 'If-Match' }),
  other('If-Match: * returns the body', { fields: [['If-Match', '*']] }),
  other('If-Unmodified-Since with the archived date returns the body', { fields: [['If-Unmodified-Since', date]] }),
  other('If-Unmodified-Since with a later date returns the body', {
    fields: [['If-Unmodified-Since', 'Fri, 02 Feb 2024 00:00:00 GMT']],
  }),
  other('If-Unmodified-Since with an invalid date is ignored', { fields: [['If-Unmodified-Since', 'yesterday']] }),
  other('If-Match takes precedence over If-Unmodified-Since', {
    eTagIn: 'If-Match',
    fields: [['If-Unmodified-Since', 'Wed, 31 Jan 2024 00:00:00 GMT']],
  }),
  refused('If-Match with another ETag returns 412', { fields: [['If-Match', '"v2"']] }),
  refused('HEAD with another ETag in If-Match returns 412', { method: 'HEAD', fields: [['If-Match', '"v2"']] }),
  refused('If-Match with a weak ETag returns 412', { fields: [['If-Match', 'W/"v1"']] }),
  refused('If-Unmodified-Since with an earlier date returns 412', {
    fields: [['If-Unmodified-Since', 'Wed, 31 Jan 2024 00:00:00 GMT']],
  }),
  refused('If-Match takes precedence over If-None-Match', { eTagIn: 'If-None-Match', fields: [['If-Match', '"v2"']] }),
  refused('If-Match takes precedence over Range', {
    fields: [
      ['If-Match', '"v2"'],
      ['Range', 'bytes=0-1'],
    ],
  }),
  {
    name: 'If-Match with the received ETag allows a range',
    archived: dated,
    ask: { eTagIn: 'If-Match', fields: [['Range', 'bytes=0-1']] },
    comes: { status: 206, body: 'so' },
  },
  {
    name: 'an archived error ignores If-Match',
    archived: { status: 404, reason: 'Gone', fields: dated.fields, body: 'gone' },
    ask: { fields: [['If-Match', '"v2"']] },
    comes: { status: 404, body: 'gone' },
  },
  {
    name: 'If-None-Match takes precedence over Range',
    archived: dated,
    ask: { eTagIn: 'If-None-Match', fields: [['Range', 'bytes=0-1']] },
    comes: { status: 304, body: '' },
  },
  {
    name: 'an archived error ignores If-None-Match and has no ETag',
    archived: { status: 404, reason: 'Gone', fields: dated.fields, body: 'gone' },
    ask: { fields: [['If-None-Match', '*']] },
    comes: { status: 404, body: 'gone', fields: { etag: [] } },
  },
  {
    name: 'a browser must revalidate whatever it caches',
    archived: {
      fields: [
        ...html,
        ['Cache-Control', 'public, max-age=31536000, immutable'],
        ['Expires', 'Thu, 01 Jan 2099 00:00:00 GMT'],
        ['Age', '7'],
        ['Pragma', 'x'],
      ],
      body: '',
    },
    comes: {
      status: 200,
      fields: {
        ...{ 'cache-control': 'no-cache', expires: [], age: [], pragma: [] },
        ...{ 'x-archive-orig-cache-control': 'public, max-age=31536000, immutable', 'x-archive-orig-age': '7' },
      },
    },
  },
  {
    name: 'the reply for a missing URL is not cached',
    comes: { status: 404, fields: { 'cache-control': 'no-store', etag: [] } },
  },
]
