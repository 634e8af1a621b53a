import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { oneByteText } from './oneByteText.ts'

test.each([
  ["'a – b'"],
  ['`„quoted“ ${"…"}`'],
  ["'\u{1F600} é'"],
  ["/^[—–]+$/.test('–')"],
  ["/^[\u{1F600}]$/u.test('\u{1F600}')"],
  ["({ š: 1, 'ž': 2 })"],
])('%s has the same value', (code) => {
  const written = oneByteText(code)
  expect(written).not.toMatch(/[\u0100-\uFFFF]/)
  expect(runInThisContext(`(${written})`)).toEqual(runInThisContext(`(${code})`))
})

test('characters of one byte stay', () => {
  expect(oneByteText("'é\\u2013'")).toBe("'é\\u2013'")
})
