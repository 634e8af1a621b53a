/** Headers of archived responses: kept, renamed or removed (RFC 9110 5, 7.6.1). */
import { html, type Case } from './case.ts'

type Fields = readonly (readonly [string, string])[]
type Expected = Record<string, string | readonly string[]>

const shown = (name: string, fields: Fields, expected: Expected): Case => ({
  ...{ name, archived: { fields, body: 'x' } },
  comes: { status: 200, body: 'x', fields: expected },
})
/** A record with these header lines, valid or not. */
const stored = (name: string, head: string, expected: Expected, status = 200): Case => ({
  ...{ name, archived: { block: Buffer.from(`${head}\r\n\r\nx`, 'latin1') } },
  comes: { status, body: 'x', fields: expected },
})
const renamed = (name: string, value: string): Case =>
  shown(`${name} is renamed`, [...html, [name, value]], {
    [name.toLowerCase()]: [],
    [`x-archive-orig-${name.toLowerCase()}`]: value,
  })
const removed = (name: string, value: string): Case =>
  shown(`${name} is removed, since it belongs to the original connection`, [...html, [name, value]], {
    [name.toLowerCase()]: [],
    [`x-archive-orig-${name.toLowerCase()}`]: [],
  })

const keeps = (cookies: readonly string[], row: Case): Case => ({ ...row, comes: { ...row.comes, cookies } })

export const fields: Case[] = [
  ...[
    renamed('X-Frame-Options', 'DENY'),
    renamed('Strict-Transport-Security', 'max-age=31536000'),
    renamed('Public-Key-Pins', 'pin-sha256="x"; max-age=9'),
    renamed('Clear-Site-Data', '"*"'),
    renamed('Alt-Svc', 'h3=":443"'),
    renamed('NEL', '{"report_to":"a","max_age":9}'),
    renamed('Report-To', '{"group":"a"}'),
    renamed('Reporting-Endpoints', 'a="https://b.example/"'),
    renamed('Accept-CH', 'Sec-CH-UA-Platform'),
    renamed('Content-Security-Policy-Report-Only', "default-src 'none'"),
    renamed('X-Loupe', 'not-in-archive'),
    renamed('X-Archive-Orig-X', 'y'),
  ],
  ...[
    removed('Trailer', 'X-T'),
    removed('TE', 'trailers'),
    removed('Proxy-Authenticate', 'Basic'),
    removed('Upgrade', 'h2c'),
  ],
  shown(
    'headers named by Connection are removed',
    [...html, ['Connection', 'close, X-Hop'], ['X-Hop', '1'], ['X-Stay', '2']],
    {
      ...{ 'x-hop': [], 'x-stay': '2' },
    },
  ),
  shown(
    'a Content-Security-Policy with only frame-ancestors is renamed',
    [['Content-Security-Policy', "frame-ancestors 'none'"]],
    {
      ...{ 'content-security-policy': [], 'x-archive-orig-content-security-policy': "frame-ancestors 'none'" },
    },
  ),
  shown(
    'a Content-Security-Policy loses the directives that prevent replay',
    [['Content-Security-Policy', "img-src *; frame-ancestors 'none'; upgrade-insecure-requests"]],
    {
      'content-security-policy': 'img-src *',
    },
  ),
  shown(
    'two Content-Security-Policy headers stay separate',
    [
      ['Content-Security-Policy', 'img-src *'],
      ['Content-Security-Policy', "script-src 'self'"],
    ],
    {
      'content-security-policy': ['img-src *', "script-src 'self'"],
    },
  ),
  {
    name: 'preconnect links are kept',
    archived: { fields: [['Link', '<https://a.example>; rel=preconnect']], body: 'x' },
    comes: { status: 200, body: 'x', fieldsHave: { link: '<https://a.example>; rel=preconnect' } },
  },
  shown('Vary: * replaces all other names', [['Vary', 'Cookie, *']], { vary: '*' }),
  shown(
    'several Vary headers are merged',
    [
      ['Vary', 'Cookie'],
      ['Vary', 'User-Agent, cookie'],
    ],
    { vary: 'cookie, User-Agent, accept-datetime' },
  ),
  keeps(
    ['a=1', 'b=2'],
    shown(
      'cookies are sent in order',
      [
        ['Set-Cookie', 'a=1'],
        ['X-Between', 'y'],
        ['Set-Cookie', 'b=2; Path=/'],
      ],
      {
        'set-cookie': ['a=1', 'b=2; Path=/'],
      },
    ),
  ),
  keeps(
    ['a=1'],
    shown(
      'a cookie that was valid becomes a session cookie',
      [['Set-Cookie', 'a=1; Expires=Fri, 01 Mar 2024 00:00:00 GMT; Path=/']],
      {
        ...{
          'set-cookie': 'a=1; Path=/',
          'x-archive-orig-set-cookie': 'a=1; Expires=Fri, 01 Mar 2024 00:00:00 GMT; Path=/',
        },
      },
    ),
  ),
  keeps(
    [],
    shown(
      'an expired cookie is not set',
      [
        ['Set-Cookie', 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
        ['Set-Cookie', 'b=; Max-Age=0'],
      ],
      {
        'set-cookie': [],
        'x-archive-orig-set-cookie': ['a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'b=; Max-Age=0'],
      },
    ),
  ),
  shown(
    'repeated headers are kept in order',
    [
      ['X-A', '1'],
      ['X-B', '2'],
      ['x-a', '3'],
    ],
    { 'x-a': ['1', '3'], 'x-b': '2' },
  ),
  shown(
    'a repeated Content-Type is kept',
    [
      ['Content-Type', 'text/plain'],
      ['Content-Type', 'text/html'],
    ],
    {
      'content-type': ['text/plain', 'text/html'],
    },
  ),
  shown('no Content-Type is added', [], { 'content-type': [] }),
  shown('Content-Disposition is kept', [['Content-Disposition', 'attachment; filename="a.txt"']], {
    'content-disposition': 'attachment; filename="a.txt"',
  }),
  shown('the archived Date is kept', [['Date', 'Thu, 29 Feb 2024 12:30:05 GMT']], {
    date: 'Thu, 29 Feb 2024 12:30:05 GMT',
  }),
  shown('no Date is added', html, { date: [] }),
  shown('non-ASCII header values keep their bytes', [...html, ['X-Latin', 'caf\xe9']], { 'x-latin': 'caf\xe9' }),
  shown('an empty header is kept', [...html, ['X-Empty', '']], { 'x-empty': '' }),
  shown('a header with an invalid name is removed', [...html, ['X Odd', '1'], ['X-Fine', '2'], ['(x)', '3']], {
    'x-fine': '2',
    'x odd': [],
    '(x)': [],
  }),
  stored('a line without a colon is removed', 'HTTP/1.1 200 OK\r\nNoColon\r\nX-Fine: yes', {
    'x-fine': 'yes',
    nocolon: [],
  }),
  stored('a space before the colon is removed', 'HTTP/1.1 200 OK\r\nX-Fine : yes', { 'x-fine': 'yes' }),
  stored('a line that begins with a colon is removed', 'HTTP/1.1 200 OK\r\n: nothing\r\nX-Fine: yes', {
    'x-fine': 'yes',
  }),
  stored('a folded header is unfolded', 'HTTP/1.1 200 OK\r\nX-Long: one\r\n two', { 'x-long': 'one two' }),
  keeps(
    [],
    stored(
      'a header that contains CR is removed and starts no other header',
      'HTTP/1.1 200 OK\r\nX-Evil: a\rSet-Cookie: b=c\r\nX-Fine: yes',
      {
        ...{ 'x-evil': [], 'set-cookie': [], 'x-fine': 'yes' },
      },
    ),
  ),
  stored('a header that contains NUL is removed', 'HTTP/1.1 200 OK\r\nX-Evil: a\0b\r\nX-Fine: yes', {
    'x-evil': [],
    'x-fine': 'yes',
  }),
  stored('other control characters become spaces', 'HTTP/1.1 200 OK\r\nX-Odd: a\x01b\x7fc', { 'x-odd': 'a b c' }),
  stored('lines may end with LF alone', 'HTTP/1.1 200 OK\nX-Fine: yes', { 'x-fine': 'yes' }),
  stored('an HTTP/1.0 response is accepted', 'HTTP/1.0 200 OK\r\nX-Fine: yes', { 'x-fine': 'yes' }),
  stored('an ICY response of an audio server is accepted', 'ICY 200 OK\r\nX-Fine: yes', { 'x-fine': 'yes' }),
  {
    ...stored('a non-ASCII reason phrase is kept', 'HTTP/1.1 200 Tr\xe8s bien', {}),
    comes: { status: 200, reason: 'Tr\xe8s bien' },
  },
  { ...stored('no reason phrase is added', 'HTTP/1.1 200', {}), comes: { status: 200, reason: '' } },
  shown('a long header is kept in full', [...html, ['X-Long', 'x'.repeat(12_000)]], { 'x-long': 'x'.repeat(12_000) }),
  shown(
    'two hundred headers are kept',
    Array.from({ length: 200 }, (_, at) => [`X-${at}`, String(at)] as const),
    { 'x-0': '0', 'x-199': '199' },
  ),
]
