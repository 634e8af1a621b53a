/** Whether what a browser has is still the answer (RFC 9110 13), and what it may keep. */
import { html, type Ask, type Case } from './case.ts'

const date = 'Thu, 01 Feb 2024 00:00:00 GMT'
const dated = {
  fields: [...html, ['ETag', 'W/"v1"'], ['Last-Modified', date], ['Vary', 'Cookie'], ['Set-Cookie', 'a=b']] as const,
  body: 'some',
}

const same = (name: string, ask: Ask): Case => ({
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
  same('the ETag that came', { eTagIn: 'If-None-Match' }),
  same('the ETag that came, to HEAD', { method: 'HEAD', eTagIn: 'If-None-Match' }),
  same('the ETag that was archived', { fields: [['If-None-Match', '"v1"']] }),
  same('one of several ETags', { fields: [['If-None-Match', '"v0", W/"v1"']] }),
  same('any ETag', { fields: [['If-None-Match', '*']] }),
  same('the date', { fields: [['If-Modified-Since', date]] }),
  other('another ETag', { fields: [['If-None-Match', '"v2"']] }),
  other('a later date, which another moment may have', {
    fields: [['If-Modified-Since', 'Fri, 02 Feb 2024 00:00:00 GMT']],
  }),
  other('an earlier date', { fields: [['If-Modified-Since', 'Wed, 31 Jan 2024 00:00:00 GMT']] }),
  other('another ETag next to the date', {
    fields: [
      ['If-None-Match', '"v2"'],
      ['If-Modified-Since', date],
    ],
  }),
  other('still the ETag that came', { eTagIn: 'If-Match' }),
  other('still any ETag', { fields: [['If-Match', '*']] }),
  other('not changed since the date', { fields: [['If-Unmodified-Since', date]] }),
  other('not changed since a later date', { fields: [['If-Unmodified-Since', 'Fri, 02 Feb 2024 00:00:00 GMT']] }),
  other('not changed since what is no date', { fields: [['If-Unmodified-Since', 'yesterday']] }),
  other('still the ETag that came goes before a date', {
    eTagIn: 'If-Match',
    fields: [['If-Unmodified-Since', 'Wed, 31 Jan 2024 00:00:00 GMT']],
  }),
  refused('no longer the ETag', { fields: [['If-Match', '"v2"']] }),
  refused('no longer the ETag, to HEAD', { method: 'HEAD', fields: [['If-Match', '"v2"']] }),
  refused('a weak ETag does not identify bytes', { fields: [['If-Match', 'W/"v1"']] }),
  refused('changed since the date', { fields: [['If-Unmodified-Since', 'Wed, 31 Jan 2024 00:00:00 GMT']] }),
  refused('no longer the ETag goes before the same one', { eTagIn: 'If-None-Match', fields: [['If-Match', '"v2"']] }),
  refused('no longer the ETag goes before a part', {
    fields: [
      ['If-Match', '"v2"'],
      ['Range', 'bytes=0-1'],
    ],
  }),
  {
    name: 'a part of what is still the same',
    archived: dated,
    ask: { eTagIn: 'If-Match', fields: [['Range', 'bytes=0-1']] },
    comes: { status: 206, body: 'so' },
  },
  {
    name: 'an archived error is shown whatever it should be',
    archived: { status: 404, reason: 'Gone', fields: dated.fields, body: 'gone' },
    ask: { fields: [['If-Match', '"v2"']] },
    comes: { status: 404, body: 'gone' },
  },
  {
    name: 'the ETag goes before a part',
    archived: dated,
    ask: { eTagIn: 'If-None-Match', fields: [['Range', 'bytes=0-1']] },
    comes: { status: 304, body: '' },
  },
  {
    name: 'an archived error is not a state of the page',
    archived: { status: 404, reason: 'Gone', fields: dated.fields, body: 'gone' },
    ask: { fields: [['If-None-Match', '*']] },
    comes: { status: 404, body: 'gone', fields: { etag: [] } },
  },
  {
    name: 'a browser keeps nothing without asking again',
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
    name: 'what is not there is never kept',
    comes: { status: 404, fields: { 'cache-control': 'no-store', etag: [] } },
  },
]
