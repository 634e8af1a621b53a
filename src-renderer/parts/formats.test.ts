import { expect, test } from 'vitest'
import { makeFormats, timeUtc } from './formats.ts'

const formats = makeFormats('en')
/** Intl writes no-break spaces of several kinds; the rows below are typed with plain ones. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [1_234, '1.23 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [48_200_111, '48.2 MB'],
  [1e15, '1 PB'],
  [5e18, '5,000 PB'],
])('%d bytes read as %s', (bytes, text) => expect(plain(formats.bytes(bytes))).toBe(text))

test.each([
  [0, '0s'],
  [3.24, '3.2s'],
  [59.6, '1m'],
  [61, '1m 1s'],
  [3_600, '1h'],
  [3_661, '1h 1m'],
  [86_400, '1d'],
  [90_061, '1d 1h'],
])('%d seconds read as %s', (seconds, text) => expect(formats.duration(seconds)).toBe(text))

test.each([
  ['2026-11-20T12:00:00Z', 'now'],
  ['2026-11-20T11:59:30Z', '30 seconds ago'],
  ['2026-11-20T09:59:00Z', '2 hours ago'],
  ['2026-11-19T11:00:00Z', 'yesterday'],
  ['2024-11-01T12:00:00Z', '2 years ago'],
])('%s was %s', (time, text) => expect(formats.ago(time, new Date('2026-11-20T12:00:00Z'))).toBe(text))

test.each([
  ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.400Z', ''],
  ['2026-11-23T12:00:00Z', '2026-11-20T12:00:00Z', '+3 days'],
  ['2026-11-20T10:00:00Z', '2026-11-20T12:00:00Z', '−2 hours'],
])('%s relative to %s: %s', (time, reference, text) => expect(formats.distance(time, reference)).toBe(text))

test('times are shown in UTC in any time zone', () => {
  expect(timeUtc('2026-11-20T23:30:00+02:00')).toBe('2026-11-20 21:30:00')
})
