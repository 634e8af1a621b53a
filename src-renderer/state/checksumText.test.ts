import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksumIn, differenceBetween } from './checksumText.ts'

const sum = 'ab'.repeat(32)

test.each([
  [sum, { kind: 'checksum', sha256: sum }],
  [`  ${sum}\n`, { kind: 'checksum', sha256: sum }],
  [sum.toUpperCase(), { kind: 'checksum', sha256: sum }],
  [`${sum}  a.warc.gz`, { kind: 'checksum', sha256: sum }],
  [`${sum} *a b.warc.gz`, { kind: 'checksum', sha256: sum }],
  // The format of sha256sum for a file name with a line break.
  [`\\${sum}  a\\nb`, { kind: 'checksum', sha256: sum }],
  [`sha256:${sum}`, { kind: 'checksum', sha256: sum }],
  [`SHA-256: ${sum}`, { kind: 'checksum', sha256: sum }],
  ['', { kind: 'empty' }],
  [' \t', { kind: 'empty' }],
  ['abc', { kind: 'length', count: 3 }],
  [`${sum}0`, { kind: 'length', count: 65 }],
  [`${sum.slice(0, 4)}g${sum.slice(5)}`, { kind: 'letter', letter: 'g', at: 5 }],
  ['Ab😀', { kind: 'letter', letter: '😀', at: 3 }],
])('%j', (text, expected) => {
  expect(checksumIn(text)).toEqual(expected)
})

test('any input is a checksum of 64 digits, or has a problem that can be named', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = checksumIn(text)
      if (read.kind === 'checksum') expect(read.sha256).toMatch(/^[0-9a-f]{64}$/)
    }),
  )
})

test('two checksums differ exactly where their characters do', () => {
  const digit = fc.constantFrom(...'0123456789abcdef')
  const checksum = fc.array(digit, { minLength: 64, maxLength: 64 })
  fc.assert(
    fc.property(checksum, fc.uniqueArray(fc.nat(63), { maxLength: 64 }), (letters, places) => {
      const other = letters.map((letter, at) => (places.includes(at) ? (letter === '0' ? '1' : '0') : letter))
      const difference = differenceBetween(letters.join(''), other.join(''))
      const expected = places.length === 0 ? undefined : { first: Math.min(...places) + 1, count: places.length }
      expect(difference).toEqual(expected)
    }),
  )
})
