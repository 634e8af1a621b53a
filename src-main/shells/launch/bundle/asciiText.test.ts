import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { asciiText } from './asciiText.ts'

test.each([
  ["'a – b'"],
  ['`„quoted“ ${"…"}`'],
  ["'\u{1F600} é'"],
  ["/^[—–]+$/.test('–')"],
  ["/^[\u{1F600}]$/u.test('\u{1F600}')"],
  ["({ š: 1, 'ž': 2 })"],
])('%s has the same value', (code) => {
  const written = asciiText(code)
  expect(written).toMatch(/^[\0-\x7F]*$/)
  expect(runInThisContext(`(${written})`)).toEqual(runInThisContext(`(${code})`))
})

test('escapes stay', () => {
  expect(asciiText("'\\u2013'")).toBe("'\\u2013'")
})
