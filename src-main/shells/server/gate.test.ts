import { expect, test } from 'vitest'
import type { IncomingHttpHeaders } from 'node:http'
import { isForProxy, isSameToken, localOrigins, refusal, tokenOf, type Own } from './gate.ts'

const ownFor = (headers: IncomingHttpHeaders): Own => ({
  ...{ origins: localOrigins(4711), openingCodes: new Set(['c0de']) },
  isAdmitted: () => isSameToken(tokenOf(headers), 'correct horse'),
})
const host = '127.0.0.1:4711'
const authorization = 'Bearer correct horse'

function check(what: string, line: string, headers: Record<string, string>, expected?: RegExp): void {
  test(what, () => {
    const [method = '', target = ''] = line.split(' ')
    const found = refusal({ method, target, headers }, ownFor(headers))
    if (expected) expect(found && `${found.status} ${found.why}`).toMatch(expected)
    else expect(found).toBeUndefined()
  })
}

check('the command line', 'POST /api/call/jobs.list', { host, authorization })
check('the interface', 'POST /api/call/jobs.list', {
  host,
  authorization,
  origin: `http://${host}`,
  'sec-fetch-site': 'same-origin',
})
check('the interface by name', 'GET /api/events', {
  host: 'localhost:4711',
  authorization,
  origin: 'http://localhost:4711',
})
check('a program that asks for tokens', 'GET /UserACLs?username=anna', { host, authorization })
check('a program without the access token', 'GET /UserACLs?username=anna', { host }, /^401 /)
check(
  'an archived page that asks for tokens',
  'GET /UserACLs?username=a',
  { host, authorization, 'sec-fetch-site': 'cross-site' },
  /^403 /,
)
check('a typed address', 'GET /', { host, 'sec-fetch-site': 'none' })
check('an asset', 'GET /assets/a.js', { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })

check('no Host', 'GET /', {}, /^403 .* Host header/)
check('a rebound name', 'POST /api/call/jobs.list', { host: 'evil.example:4711', authorization }, /^403 .* Host header/)
check('a name that begins like ours', 'GET /', { host: '127.0.0.1:4711.evil.example' }, /^403 .* Host header/)
check('our address on another port', 'GET /', { host: '127.0.0.1:80' }, /^403 .* Host header/)
check(
  'an archived page',
  'POST /api/call/jobs.list',
  { host, authorization, origin: 'http://archived.example' },
  /^403 .* another origin/,
)
check(
  'a sandboxed archived page',
  'POST /api/call/jobs.list',
  { host, authorization, origin: 'null' },
  /^403 .* another origin/,
)
check('our name over TLS', 'GET /', { host, origin: `https://${host}` }, /^403 .* another origin/)
check('another server of this machine', 'GET /', { host, origin: 'http://127.0.0.1:8080' }, /^403 .* another origin/)
check(
  'a cross-site GET without Origin',
  'GET /api/events',
  { host, authorization, 'sec-fetch-site': 'cross-site' },
  /^403 .* another site/,
)
check(
  'another port is same-site',
  'GET /api/events',
  { host, authorization, 'sec-fetch-site': 'same-site' },
  /^403 .* another site/,
)
check(
  'our script in a foreign page',
  'GET /assets/a.js',
  { host, 'sec-fetch-site': 'cross-site' },
  /^403 .* another site/,
)
check('the file with which our window begins', 'GET /?open=c0de', { host, 'sec-fetch-site': 'cross-site' })
for (const line of [
  'GET /?open=other',
  'GET /?open=',
  'GET /',
  'GET /?open=c0de&more',
  'HEAD /?open=c0de',
  'POST /?open=c0de',
])
  check(`another page: ${line}`, line, { host, 'sec-fetch-site': 'cross-site' }, /^403 .* another site/)
check(
  'a page that knows the code of our window and loads it as a script',
  'GET /?open=c0de',
  { host, 'sec-fetch-site': 'cross-site', origin: 'http://archived.example' },
  /^403 .* another origin/,
)
check('no token', 'POST /api/call/jobs.list', { host }, /^401 the session token/)
check(
  'a wrong token',
  'POST /api/call/jobs.list',
  { host, authorization: 'Bearer correct horsf' },
  /^401 the session token/,
)
check(
  'the beginning of the token',
  'POST /api/call/jobs.list',
  { host, authorization: 'Bearer correct' },
  /^401 the session token/,
)
check(
  'the token in another scheme',
  'POST /api/call/jobs.list',
  { host, authorization: 'Basic correct horse' },
  /^401 the session token/,
)
check('no token for the events', 'GET /api/events', { host }, /^401 the session token/)
check('posting to a file', 'POST /', { host }, /^403 only GET/)

test.each([
  ['http://example.com/', true],
  ['HTTPS://example.com/', true],
  ['ws://example.com/', true],
  ['/http://example.com/', false],
  ['/', false],
  ['*', false],
])('%s is for the proxy: %s', (target, expected) => {
  expect(isForProxy(target)).toBe(expected)
})

check('a file that the interface hands over', 'PUT /incoming/a.warc.gz', {
  host,
  authorization,
  origin: `http://${host}`,
  'sec-fetch-site': 'same-origin',
})
check('a file without the token', 'PUT /incoming/a.warc.gz', { host }, /^401 .* token/)
check(
  'a file that an archived page hands over',
  'PUT /incoming/a.warc.gz',
  { host, authorization, origin: 'http://archived.example', 'sec-fetch-site': 'cross-site' },
  /^403 .* another origin/,
)
check('a removal without the token', 'DELETE /incoming/a.warc.gz', { host }, /^401 .* token/)
