import { expect, it } from 'vitest'
import { shownFields, shownPolicy } from './archivedFields.ts'

const capturedMs = Date.UTC(2024, 1, 29, 12, 30, 5)

const check = (name: string, value: string, expected: string | undefined) =>
  it(`${name}: ${value} is ${expected === undefined ? 'removed' : `sent as ${expected}`}`, () => {
    const shown = shownFields([[name, value]], capturedMs).filter(([shownName]) => shownName === name)
    expect(shown).toEqual(expected === undefined ? [] : [[name, expected]])
  })

/** Expects the archived value under the archive name, and `expected`, if given, under the original name. */
const checkKept = (name: string, value: string, expected?: string) =>
  it(`${name}: ${value} is sent under another name`, () => {
    expect(shownFields([[name, value]], capturedMs).slice(0, -2)).toEqual([
      ...(expected === undefined ? [] : [[name, expected]]),
      [`X-Archive-Orig-${name}`, value],
    ])
  })

check('Content-Type', 'text/html; charset=latin1', 'text/html; charset=latin1')
check('Set-Cookie', 'a=b; SameSite=Lax', 'a=b; SameSite=Lax')
check('Location', '/there', '/there')
checkKept('ETag', '"v1"')
check('Content-Encoding', 'gzip', 'gzip')
check('Access-Control-Allow-Origin', '*', '*')
check('Transfer-Encoding', 'chunked', undefined)
check('transfer-encoding', 'chunked', undefined)
check('Content-Length', '5', undefined)
check('Connection', 'close', undefined)
check('Keep-Alive', 'timeout=5', undefined)
check('Upgrade', 'h2c', undefined)
check('Proxy-Authenticate', 'Basic', undefined)
checkKept('X-Frame-Options', 'DENY')
checkKept('Strict-Transport-Security', 'max-age=1')
checkKept('Alt-Svc', 'h3=":443"')
checkKept('Public-Key-Pins', 'x')
checkKept('NEL', '{}')
checkKept('Report-To', '{}')
checkKept('Reporting-Endpoints', 'a="https://b/"')
checkKept('Clear-Site-Data', '"*"')
checkKept('Expires', 'Thu, 01 Jan 2099 00:00:00 GMT')
checkKept('Content-Security-Policy', "frame-ancestors 'none'")
checkKept('Content-Security-Policy', "default-src 'self'; frame-ancestors 'none'", "default-src 'self'")
checkKept('Content-Security-Policy-Report-Only', "default-src 'none'")
checkKept('Set-Cookie', 'a=b; Expires=Thu, 01 Mar 2024 00:00:00 GMT; Path=/', 'a=b; Path=/')
checkKept('Set-Cookie', 'a=b; Expires=Wed, 28 Feb 2024 00:00:00 GMT')
checkKept('Accept-CH', 'Sec-CH-UA')
checkKept('X-Loupe', 'refused')
checkKept('X-Archive-Orig-ETag', '"v0"')
checkKept('Memento-Datetime', 'Thu, 29 Feb 2024 12:30:05 GMT')
check('Link', '<https://a/>; rel=preconnect', '<https://a/>; rel=preconnect')
check('X-Broken', 'a\rSet-Cookie: b=c', undefined)
check('X-Broken', 'a\nSet-Cookie: b=c', undefined)
check('X-Broken', 'a\0', undefined)
check('Set-Cookie\r\nX', 'y', undefined)
check('X Odd', 'a name with a space', undefined)
check('X-Odd', 'kept', 'kept')

it('removes the headers that Connection names', () => {
  const shown = shownFields(
    [
      ['Connection', 'close, X-Hop'],
      ['X-Hop', '1'],
      ['X-Stay', '1'],
    ],
    capturedMs,
  )
  expect(shown.map(([name]) => name)).toEqual(['X-Stay', 'Cache-Control', 'Memento-Datetime'])
})

it('adds the date of the capture, and makes the browser revalidate', () => {
  expect(shownFields([['Cache-Control', 'immutable']], capturedMs)).toEqual([
    ['X-Archive-Orig-Cache-Control', 'immutable'],
    ['Cache-Control', 'no-cache'],
    ['Memento-Datetime', 'Thu, 29 Feb 2024 12:30:05 GMT'],
  ])
})

it('keeps headers in order, including repeated ones', () => {
  const cookies = [
    ['Set-Cookie', 'a=1'],
    ['X', 'y'],
    ['Set-Cookie', 'b=2'],
  ] as const
  expect(shownFields(cookies, capturedMs).slice(0, 3)).toEqual(cookies)
})

const checkPolicy = (value: string, expected: string) =>
  it(`the policy ${value} becomes ${expected}`, () => expect(shownPolicy(value)).toBe(expected))

checkPolicy("script-src 'self'; FRAME-ANCESTORS https://a.example", "script-src 'self'")
checkPolicy('upgrade-insecure-requests', '')
checkPolicy('upgrade-insecure-requests; img-src *; report-uri /csp; report-to g', 'img-src *')
checkPolicy("frame-ancestors 'none', default-src 'none'", "default-src 'none'")
checkPolicy(' ; ;', '')

it('a header of many spaces takes linear time', () => {
  const shown = shownFields(
    [
      ['Connection', `${' '.repeat(1_000_000)}x`],
      ['X', 'taken off'],
    ],
    capturedMs,
  )
  expect(shown.map(([name]) => name)).toEqual(['Cache-Control', 'Memento-Datetime'])
})
