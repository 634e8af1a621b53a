import { expect, it } from 'vitest'
import { shownCookie } from './archivedCookies.ts'

const capturedMs = Date.UTC(2024, 1, 29, 12, 30, 5)

const check = (value: string, expected: string) =>
  it(`${value} is ${expected === '' ? 'not set' : `set as ${expected}`}`, () =>
    expect(shownCookie(value, capturedMs)).toBe(expected))

check('a=b', 'a=b')
check('a=b; Path=/; Secure; HttpOnly; SameSite=Lax', 'a=b; Path=/; Secure; HttpOnly; SameSite=Lax')
check('a=b; Expires=Thu, 01 Mar 2024 00:00:00 GMT', 'a=b')
check('a=b;expires=Thu, 01-Mar-2024 00:00:00 GMT; Path=/', 'a=b; Path=/')
check('a=b; Expires=Wed, 28 Feb 2024 00:00:00 GMT', '')
check('a=b; expires=Wed, 28-Feb-24 00:00:00 GMT', '')
check('a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/', '')
check('a=b; Max-Age=60', 'a=b')
check('a=b; Max-Age=0', '')
check('a=b; max-age=-1; Path=/', '')
check('a=b; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'a=b')
check('a=b; Max-Age=0; Max-Age=60', 'a=b')
check('a=b; Max-Age=soon', 'a=b')
check('a=b; Expires=soon', 'a=b')
check('expires=b; max=1', 'expires=b; max=1')
check('', '')
