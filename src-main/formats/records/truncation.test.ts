import { expect, test } from 'vitest'
import { truncationOf } from './truncation.ts'

test.for([
  ['length', 'length'],
  ['TIME', 'time'],
  [' disconnect ', 'disconnect'],
  ['unspecified', 'unspecified'],
  ['boredom', 'unspecified'],
  // A reason of our own, which no record names.
  ['framing', 'unspecified'],
  ['', undefined],
] as const)('WARC-Truncated: %j is %s', ([value, expected]) => {
  const fields: [string, string][] = [['WARC-Truncated', value]]
  expect(truncationOf({ type: 'response', fields })).toBe(expected)
  expect(truncationOf({ type: 'resource', fields })).toBe(expected)
  expect(truncationOf({ type: 'revisit', fields })).toBeUndefined()
})

test('a record without the field is complete', () => {
  expect(truncationOf({ type: 'response', fields: [['WARC-Type', 'response']] })).toBeUndefined()
})

test.for([
  [undefined, ['httpBodyTruncated'], 'unspecified'],
  [undefined, ['chunksTorn'], 'unspecified'],
  [undefined, ['chunksTorn', 'chunkBroken'], 'framing'],
  [undefined, ['httpBodyMissing', 'notChunked'], undefined],
  // The reason given in the record takes precedence.
  ['length', ['chunkBroken'], 'length'],
  ['unspecified', ['chunkBroken'], 'framing'],
] as const)('WARC-Truncated: %j and a body with %j is %s', ([value, rules, expected]) => {
  const fields: [string, string][] = value === undefined ? [] : [['WARC-Truncated', value]]
  const findings = rules.map((rule) => ({ rule }))
  expect(truncationOf({ type: 'response', fields }, findings)).toBe(expected)
  expect(truncationOf({ type: 'revisit', fields }, findings)).toBeUndefined()
})
