/** Parses authentication challenges of servers. */
import { expect, test } from 'vitest'
import { challengesOf, parametersOf } from './challenges.ts'

const rows: [what: string, lines: string[], expected: [scheme: string, parameters: Record<string, string>][]][] = [
  ['one', ['Basic realm="a b"'], [['basic', { realm: 'a b' }]]],
  ['letters of any case, blanks around =', ['BASIC Realm = "x"'], [['basic', { realm: 'x' }]]],
  [
    'without quotes',
    ['Digest realm=x, nonce=abc,stale=TRUE'],
    [['digest', { realm: 'x', nonce: 'abc', stale: 'TRUE' }]],
  ],
  [
    'two in one line (RFC 9110, 11.6.1)',
    ['Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\""'],
    [
      ['basic', { realm: 'simple' }],
      ['newauth', { realm: 'apps', type: '1', title: 'Login to "apps"' }],
    ],
  ],
  [
    'two lines',
    ['Digest realm="a", nonce="1", qop="auth,auth-int"', 'Basic realm="b"'],
    [
      ['digest', { realm: 'a', nonce: '1', qop: 'auth,auth-int' }],
      ['basic', { realm: 'b' }],
    ],
  ],
  [
    'a token, then one with parameters',
    ['Negotiate TlRMTVNTUAAB==, Basic realm="b"'],
    [
      ['negotiate', {}],
      ['basic', { realm: 'b' }],
    ],
  ],
  ['a name alone', ['Negotiate'], [['negotiate', {}]]],
  ['the first of two counts', ['Basic realm="a", realm="b"'], [['basic', { realm: 'a' }]]],
  ['a quote that does not end', ['Basic realm="a'], [['basic', { realm: 'a' }]]],
  ['nothing', [''], []],
  ['no challenge at all', ['"x", =='], []],
]

test.each(rows)('%s', (_what, lines, expected) => {
  expect(challengesOf(lines).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)])).toEqual(
    expected,
  )
})

test('an adversarial header takes linear time and bounded memory', () => {
  expect(challengesOf(['a="'.repeat(80_000)]).length).toBeLessThan(30)
  expect(challengesOf([`Basic ${'x=1,'.repeat(60_000)}`])[0]?.parameters.size).toBe(1)
  expect(challengesOf([Array.from({ length: 9_000 }, (_, at) => `s${at} a=1`).join(', ')])).toHaveLength(20)
})

test('Authentication-Info has only parameters', () => {
  expect([...parametersOf('nextnonce="n\\"2", qop=auth, nc=00000001')]).toEqual([
    ['nextnonce', 'n"2'],
    ['qop', 'auth'],
    ['nc', '00000001'],
  ])
})
