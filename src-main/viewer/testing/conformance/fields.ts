/** Fields of archived answers: kept as they are, told under another name, left out (RFC 9110 5, 7.6.1). */
import { html, type Case } from './case.ts'

type Fields = readonly (readonly [string, string])[]
type Expected = Record<string, string | readonly string[]>

const shown = (name: string, fields: Fields, expected: Expected): Case => ({
  ...{ name, archived: { fields, body: 'x' } },
  comes: { status: 200, body: 'x', fields: expected },
})
/** The lines of the head as they were stored, whatever they are. */
const stored = (name: string, head: string, expected: Expected, status = 200): Case => ({
  ...{ name, archived: { block: Buffer.from(`${head}\r\n\r\nx`, 'latin1') } },
  comes: { status, body: 'x', fields: expected },
})
const told = (name: string, value: string): Case =>
  shown(`${name} is told under another name`, [...html, [name, value]], {
    [name.toLowerCase()]: [],
    [`x-archive-orig-${name.toLowerCase()}`]: value,
  })
const gone = (name: string, value: string): Case =>
  shown(`${name} is of the connection that was`, [...html, [name, value]], {
    [name.toLowerCase()]: [],
    [`x-archive-orig-${name.toLowerCase()}`]: [],
  })

const keeps = (cookies: readonly string[], row: Case): Case => ({ ...row, comes: { ...row.comes, cookies } })

export const fields: Case[] = [
  ...[
    told('X-Frame-Options', 'DENY'),
    told('Strict-Transport-Security', 'max-age=31536000'),
    told('Public-Key-Pins', 'pin-sha256="x"; max-age=9'),
    told('Clear-Site-Data', '"*"'),
    told('Alt-Svc', 'h3=":443"'),
    told('NEL', '{"report_to":"a","max_age":9}'),
    told('Report-To', '{"group":"a"}'),
    told('Reporting-Endpoints', 'a="https://b.example/"'),
    told('Accept-CH', 'Sec-CH-UA-Platform'),
    told('Content-Security-Policy-Report-Only', "default-src 'none'"),
    told('X-Loupe', 'not-in-archive'),
    told('X-Archive-Orig-X', 'y'),
  ],
  ...[gone('Trailer', 'X-T'), gone('TE', 'trailers'), gone('Proxy-Authenticate', 'Basic'), gone('Upgrade', 'h2c')],
  shown(
    'what Connection names is of the connection',
    [...html, ['Connection', 'close, X-Hop'], ['X-Hop', '1'], ['X-Stay', '2']],
    {
      ...{ 'x-hop': [], 'x-stay': '2' },
    },
  ),
  shown('frame-ancestors alone is no policy', [['Content-Security-Policy', "frame-ancestors 'none'"]], {
    ...{ 'content-security-policy': [], 'x-archive-orig-content-security-policy': "frame-ancestors 'none'" },
  }),
  shown(
    'a policy loses what fights against being shown',
    [['Content-Security-Policy', "img-src *; frame-ancestors 'none'; upgrade-insecure-requests"]],
    {
      'content-security-policy': 'img-src *',
    },
  ),
  shown(
    'two policies stay two',
    [
      ['Content-Security-Policy', 'img-src *'],
      ['Content-Security-Policy', "script-src 'self'"],
    ],
    {
      'content-security-policy': ['img-src *', "script-src 'self'"],
    },
  ),
  {
    name: 'links to connect ahead stay',
    archived: { fields: [['Link', '<https://a.example>; rel=preconnect']], body: 'x' },
    comes: { status: 200, body: 'x', fieldsHave: { link: '<https://a.example>; rel=preconnect' } },
  },
  shown('what varies by everything needs no other name', [['Vary', 'Cookie, *']], { vary: '*' }),
  shown(
    'fields that say what it varies by are said as one',
    [
      ['Vary', 'Cookie'],
      ['Vary', 'User-Agent, cookie'],
    ],
    { vary: 'cookie, User-Agent, accept-datetime' },
  ),
  keeps(
    ['a=1', 'b=2'],
    shown(
      'cookies come in their order',
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
      'a cookie that lived lives until the browser is closed',
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
      'a cookie that had expired is not set',
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
    'fields said twice are said twice, in their order',
    [
      ['X-A', '1'],
      ['X-B', '2'],
      ['x-a', '3'],
    ],
    { 'x-a': ['1', '3'], 'x-b': '2' },
  ),
  shown(
    'a type said twice is said twice',
    [
      ['Content-Type', 'text/plain'],
      ['Content-Type', 'text/html'],
    ],
    {
      'content-type': ['text/plain', 'text/html'],
    },
  ),
  shown('no type is no type', [], { 'content-type': [] }),
  shown('a disposition stays', [['Content-Disposition', 'attachment; filename="a.txt"']], {
    'content-disposition': 'attachment; filename="a.txt"',
  }),
  shown('the archived date stays, and none is made up', [['Date', 'Thu, 29 Feb 2024 12:30:05 GMT']], {
    date: 'Thu, 29 Feb 2024 12:30:05 GMT',
  }),
  shown('without an archived date there is none', html, { date: [] }),
  shown('letters beyond ASCII stay bytes', [...html, ['X-Latin', 'caf\xe9']], { 'x-latin': 'caf\xe9' }),
  shown('an empty field stays', [...html, ['X-Empty', '']], { 'x-empty': '' }),
  shown('an invalid field name is left out', [...html, ['X Odd', '1'], ['X-Fine', '2'], ['(x)', '3']], {
    'x-fine': '2',
    'x odd': [],
    '(x)': [],
  }),
  stored('a line without a colon is left out', 'HTTP/1.1 200 OK\r\nNoColon\r\nX-Fine: yes', {
    'x-fine': 'yes',
    nocolon: [],
  }),
  stored('a blank before the colon is left out', 'HTTP/1.1 200 OK\r\nX-Fine : yes', { 'x-fine': 'yes' }),
  stored('a line that begins with a colon is left out', 'HTTP/1.1 200 OK\r\n: nothing\r\nX-Fine: yes', {
    'x-fine': 'yes',
  }),
  stored('a folded field is one line', 'HTTP/1.1 200 OK\r\nX-Long: one\r\n two', { 'x-long': 'one two' }),
  keeps(
    [],
    stored('a CR in a field does not begin another', 'HTTP/1.1 200 OK\r\nX-Evil: a\rSet-Cookie: b=c\r\nX-Fine: yes', {
      ...{ 'x-evil': [], 'set-cookie': [], 'x-fine': 'yes' },
    }),
  ),
  stored('a NUL in a field is not passed on', 'HTTP/1.1 200 OK\r\nX-Evil: a\0b\r\nX-Fine: yes', {
    'x-evil': [],
    'x-fine': 'yes',
  }),
  stored('other control characters become blanks', 'HTTP/1.1 200 OK\r\nX-Odd: a\x01b\x7fc', { 'x-odd': 'a b c' }),
  stored('lines that end with LF alone are lines', 'HTTP/1.1 200 OK\nX-Fine: yes', { 'x-fine': 'yes' }),
  stored('an answer of HTTP/1.0 is an answer', 'HTTP/1.0 200 OK\r\nX-Fine: yes', { 'x-fine': 'yes' }),
  stored('an answer of an audio server is an answer', 'ICY 200 OK\r\nX-Fine: yes', { 'x-fine': 'yes' }),
  {
    ...stored('a reason with letters beyond ASCII stays', 'HTTP/1.1 200 Tr\xe8s bien', {}),
    comes: { status: 200, reason: 'Tr\xe8s bien' },
  },
  { ...stored('no reason is no reason', 'HTTP/1.1 200', {}), comes: { status: 200, reason: '' } },
  shown('a long field stays whole', [...html, ['X-Long', 'x'.repeat(12_000)]], { 'x-long': 'x'.repeat(12_000) }),
  shown(
    'two hundred fields stay',
    Array.from({ length: 200 }, (_, at) => [`X-${at}`, String(at)] as const),
    { 'x-0': '0', 'x-199': '199' },
  ),
]
