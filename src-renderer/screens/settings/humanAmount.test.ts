import { expect, test } from 'vitest'
import { makeFormats } from '../../parts/formats.ts'
import { humanAmount } from './humanAmount.ts'

test.each([
  ['bytes', 536_870_912, /^537\sMB$/],
  ['bytes/s', 100_000_000, /^100\sMB\/s$/],
  ['s', 90, /^1\smin\s30\ss$/],
  ['min', 120, /^2\sh/],
  ['bytes', 12, undefined],
  ['s', 30, undefined],
  ['days', 400, undefined],
  [undefined, 1_000_000, undefined],
  ['bytes', NaN, undefined],
  ['bytes', '5000', undefined],
])('%s: %j', (unit, value, expected) => {
  const shown = humanAmount(makeFormats('en'), unit, value)
  if (expected === undefined) expect(shown).toBeUndefined()
  else expect(shown).toMatch(expected)
})
