/** Records other than one complete response: interim responses, 304, revisits, resources, damaged records (WARC 1.1 6). */
import { html, noise, plain, ways, type Archived, type Case } from './case.ts'

const earlier = '2024-02-01T00:00:00Z'
const profile = (kind: string) => ['WARC-Profile', `http://netpreserve.org/warc/1.1/revisit/${kind}`] as const
const original: Archived = { at: earlier, fields: [...html, ['X-Whose', 'original']], body: 'the original body' }
const revisit = (path: string, more: Archived = {}): Archived => ({
  type: 'revisit',
  fields: [...html, ['X-Whose', 'revisit']],
  warcFields: [
    profile('identical-payload-digest'),
    ['WARC-Refers-To-Target-URI', path],
    ['WARC-Refers-To-Date', earlier],
  ],
  ...more,
})

const shown = (name: string, archived: Case['archived'], body: string, fields: Case['comes']['fields'] = {}): Case => ({
  ...{ name, archived: archived ?? [] },
  comes: { status: 200, body, fields },
})
const unreadable = (name: string, archived: Case['archived']): Case => ({
  ...{ name, archived: archived ?? [] },
  comes: { status: 503, fields: { 'x-loupe': 'unreadable', 'cache-control': 'no-store' } },
})
const missing = (name: string, archived: Case['archived']): Case => ({
  ...{ name, archived: archived ?? [] },
  comes: { status: 404, fields: { 'x-loupe': 'not-in-archive' } },
})

export const records: Case[] = [
  shown(
    'an interim response before the final one is skipped',
    { block: Buffer.from('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-A: b\r\n\r\nreally') },
    'really',
    { 'x-a': 'b' },
  ),
  shown(
    'early hints before the final response are skipped',
    { block: Buffer.from('HTTP/1.1 103 Early Hints\r\nX-Hint: early\r\n\r\nHTTP/1.1 200 OK\r\n\r\nreally') },
    'really',
    { 'x-hint': [] },
  ),
  missing('a 101 response is missing', {
    status: 101,
    reason: 'Switching Protocols',
    fields: [['Upgrade', 'websocket']],
    body: '\x81\x05hello',
  }),
  unreadable('an interim response alone is unreadable', { block: Buffer.from('HTTP/1.1 100 Continue\r\n\r\n') }),
  missing('a 304 alone is missing', { status: 304, reason: 'Not Modified', fields: html }),
  shown(
    'a 304 is replaced by the previous response',
    [
      { status: 304, reason: 'Not Modified', fields: [] },
      { at: earlier, fields: html, body: 'the one before' },
    ],
    'the one before',
    {
      'memento-datetime': 'Thu, 01 Feb 2024 00:00:00 GMT',
    },
  ),
  shown(
    'a revisit has its own headers and the body of its original',
    [{ ...original, url: 'http://rows.example/original' }, revisit('http://rows.example/original')],
    'the original body',
    {
      ...{ 'x-whose': 'revisit', 'memento-datetime': 'Thu, 29 Feb 2024 12:30:05 GMT' },
    },
  ),
  shown(
    'a server-not-modified revisit has the headers of its original',
    [
      { ...original, url: 'http://rows.example/unmodified' },
      revisit('http://rows.example/unmodified', {
        status: 304,
        reason: 'Not Modified',
        fields: [],
        warcFields: [
          profile('server-not-modified'),
          ['WARC-Refers-To-Target-URI', 'http://rows.example/unmodified'],
          ['WARC-Refers-To-Date', earlier],
        ],
      }),
    ],
    'the original body',
    { 'x-whose': 'original' },
  ),
  shown(
    'a revisit without headers has those of its original',
    [
      { ...original, url: 'http://rows.example/headless' },
      revisit('http://rows.example/headless', { block: Buffer.alloc(0) }),
    ],
    'the original body',
    { 'x-whose': 'original' },
  ),
  unreadable('a revisit without its original is unreadable', revisit('http://rows.example/never')),
  shown(
    'a resource has its type as its only header',
    { type: 'resource', contentType: 'text/plain', block: Buffer.from('a resource') },
    'a resource',
    { 'content-type': 'text/plain', 'content-length': '10' },
  ),
  unreadable('a record that is not HTTP is unreadable', { block: Buffer.from('hello there, this is not HTTP') }),
  unreadable('an empty record is unreadable', { block: Buffer.alloc(0) }),
  unreadable('a damaged record is unreadable', {
    fields: plain,
    body: 'the only copy is damaged, and it is long enough to be so',
    isSpoiled: true,
  }),
  shown(
    'a damaged record is replaced by the previous capture',
    [
      { fields: plain, body: 'the newer copy is damaged, and it is long enough to be so', isSpoiled: true },
      { fields: plain, at: earlier, body: 'the older copy is good' },
    ],
    'the older copy is good',
  ),
  // One row per way: after the first request the record is known to be damaged and is no longer used.
  ...ways.map((way): Case => ({
    name: `a record that is damaged midway breaks off the response over ${way}`,
    archived: { fields: plain, body: noise(), isSpoiled: true },
    comes: { status: 200, isBroken: true },
    ways: [way],
  })),
  missing('a URL that was never captured is missing', []),
  {
    name: 'the date of the view selects the capture',
    archived: [
      { at: '2020-01-01T00:00:00Z', fields: html, body: 'long before' },
      { at: '2024-02-28T00:00:00Z', fields: html, body: 'shortly before' },
      { at: '2025-01-01T00:00:00Z', fields: html, body: 'long after' },
    ],
    comes: { status: 200, body: 'shortly before', fields: { 'memento-datetime': 'Wed, 28 Feb 2024 00:00:00 GMT' } },
  },
]
