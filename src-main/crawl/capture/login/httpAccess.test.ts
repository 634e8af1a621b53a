/** Authorization fields, with the examples of the RFCs. */
import { expect, test } from 'vitest'
import { challengesOf, parametersOf } from '../../../formats/http/challenges.ts'
import { basicAuthorization, digestAuthorization, digestChallengeIn, isFitForBasic } from './httpAccess.ts'

test.each([
  ['RFC 7617 section 2', 'Aladdin', 'open sesame', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
  ['RFC 7617 section 2.1', 'test', '123£', 'Basic dGVzdDoxMjPCow=='],
  ['a colon in the password', 'a', 'b:c', 'Basic YTpiOmM='],
])('basic: %s', (_what, user, password, expected) => {
  expect(basicAuthorization({ user, password })).toBe(expected)
})

test('a name with a colon cannot be used with Basic', () => {
  expect(isFitForBasic({ user: 'a:b', password: '' })).toBe(false)
  expect(isFitForBasic({ user: 'ab', password: ':' })).toBe(true)
})

interface Row {
  what: string
  challenge: string
  user?: string
  password?: string
  clientNonce: string
  target?: string
  count?: number
  expected: Record<string, string>
  absent?: string[]
}

const rfc7616 =
  'Digest realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
const clientNonce7616 = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
const rfc2617 =
  'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"'

const rows: Row[] = [
  {
    what: 'RFC 7616 section 3.9.1, MD5',
    challenge: `${rfc7616}, algorithm=MD5`,
    clientNonce: clientNonce7616,
    expected: {
      username: 'Mufasa',
      response: '8ca523f5e9506fed4657c9700eebdbec',
      nc: '00000001',
      qop: 'auth',
      algorithm: 'MD5',
      uri: '/dir/index.html',
      opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
    },
  },
  {
    what: 'RFC 7616 section 3.9.1, SHA-256',
    challenge: `${rfc7616}, algorithm=SHA-256`,
    clientNonce: clientNonce7616,
    expected: {
      response: '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
      algorithm: 'SHA-256',
    },
  },
  {
    what: 'RFC 7616 section 3.9.2, SHA-512-256 with a hashed name (as its erratum 4897 has it)',
    challenge:
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true',
    user: 'J\u00e4s\u00f8n Doe',
    password: 'Secret, or not?',
    target: '/doe.json',
    clientNonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
    expected: {
      username: '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b',
      response: '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
      userhash: 'true',
    },
  },
  {
    what: 'RFC 2617 section 3.5',
    challenge: `${rfc2617}, qop="auth,auth-int"`,
    password: 'Circle Of Life',
    clientNonce: '0a4f113b',
    expected: { response: '6629fae49393a05397450978507c4ef1' },
    absent: ['algorithm', 'userhash'],
  },
  {
    what: 'RFC 2069 section 2.4: no qop (as its erratum has it)',
    challenge: 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"',
    password: 'CircleOfLife',
    clientNonce: 'unused',
    expected: { response: '1949323746fe6a43ef61f9606e7febea' },
    absent: ['qop', 'nc', 'cnonce', 'opaque'],
  },
  {
    what: 'MD5-sess (RFC 7616 section 3.4.2)',
    challenge: `${rfc2617}, qop=auth, algorithm=MD5-sess`,
    password: 'Circle Of Life',
    clientNonce: '0a4f113b',
    expected: { response: '8e3825c57e897f5a0dec6c2d4e5059d0', algorithm: 'MD5-sess' },
  },
  {
    what: 'the count of a nonce',
    challenge: `${rfc7616}, algorithm=MD5`,
    clientNonce: clientNonce7616,
    count: 0x1a2b,
    expected: { nc: '00001a2b' },
  },
  {
    what: 'a name that is not ASCII',
    challenge: rfc7616,
    user: 'J\u00e4s\u00f8n',
    clientNonce: 'x',
    expected: { 'username*': "UTF-8''J%C3%A4s%C3%B8n" },
    absent: ['username'],
  },
]

test.each(rows)('digest: $what', (row) => {
  const challenge = digestChallengeIn(challengesOf([row.challenge]))
  if (!challenge) throw new Error('no challenge that can be answered')
  const field = digestAuthorization(
    challenge,
    { user: row.user ?? 'Mufasa', password: row.password ?? 'Circle of Life' },
    {
      method: 'GET',
      target: row.target ?? '/dir/index.html',
      count: row.count ?? 1,
      clientNonce: row.clientNonce,
    },
  )
  const parameters = parametersOf(field.replace(/^Digest /, ''))
  expect(Object.fromEntries(parameters)).toMatchObject(row.expected)
  for (const name of row.absent ?? []) expect(parameters.has(name)).toBe(false)
})

test.each([
  ['an unknown algorithm', 'Digest realm="a", nonce="1", algorithm=SHA3'],
  ['auth-int alone', 'Digest realm="a", nonce="1", qop="auth-int"'],
  ['no nonce', 'Digest realm="a"'],
  ['another scheme', 'Basic realm="a"'],
])('%s is not answered', (_what, line) => {
  expect(digestChallengeIn(challengesOf([line]))).toBeUndefined()
})

test('the first supported challenge is answered, and `stale` is read', () => {
  const lines = ['Digest nonce=1, algorithm=X', 'Digest nonce=2, algorithm=SHA-256, stale=true', 'Digest nonce=3']
  expect(digestChallengeIn(challengesOf(lines))).toMatchObject({ nonce: '2', hash: 'sha256', isStale: true })
})
