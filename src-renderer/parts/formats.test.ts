import { expect, test } from 'vitest'
import { makeFormats, timeUtc } from './formats.ts'

const formats = makeFormats('en')
test.each([
  [formats.bytes(48_200_111), '48.2 MB'],
  [formats.duration(3_661), '1 h 1 min'],
  [formats.perSecond(1.5), '1.5/s'],
  [formats.bytesPerSecond(2e6), '2 MB/s'],
  [formats.perMinute(30), '30/min'],
  [formats.percent(0.454), '45%'],
])('no line break divides %s', (text, plain) => expect(text).toBe(plain.replaceAll(' ', '\u00a0')))

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
