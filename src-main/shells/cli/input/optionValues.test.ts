import { describe, expect, test } from 'vitest'
import { moment, span, throttleRule } from './optionValues.ts'
import { withRecheck } from '../verbs/recheck.ts'

test.each([
  ['90s', 90],
  ['30m', 1_800],
  ['12h', 43_200],
  ['1.5h', 5_400],
  ['7d', 604_800],
  ['never', 'never'],
])('%s', (text, seconds) => expect(span(text)).toBe(seconds))

test.each(['', '7', 'd', '0s', '0.5s', '-1d', '1w'])('"%s" is not a duration', (text) => {
  expect(() => span(text)).toThrow('A duration looks like')
})

test('a time is in UTC whatever the zone of the machine', () => {
  const zone = process.env['TZ']
  process.env['TZ'] = 'Asia/Tokyo'
  try {
    expect(moment('2026-11-20T12:00')).toBe('2026-11-20T12:00:00.000Z')
    expect(moment('20261120120000')).toBe('2026-11-20T12:00:00.000Z')
    expect(moment('2026')).toBe('2026-01-01T00:00:00.000Z')
  } finally {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
})

test.each(['', 'yesterday', '2026-02-31', '20260231000000'])('"%s" is not a time', (text) => {
  expect(() => moment(text)).toThrow('A time looks like')
})

test('limits apply to one domain or several, and combine', () => {
  const first = throttleRule('example\\.org$=30', undefined)
  expect(throttleRule('a=b=fetches:6,connections:2,bytes:50kB', first)).toEqual([
    { match: 'example\\.org$', fetchesPerMinute: 30 },
    { match: 'a=b', fetchesPerMinute: 6, connections: 2, bytesPerSecond: 50_000 },
  ])
})

test('a rule may say what it is for', () => {
  expect(throttleRule('^a\\.=bytes:50kB  # asked for by mail: a=b # twice', undefined)).toEqual([
    { match: '^a\\.', description: 'asked for by mail: a=b # twice', bytesPerSecond: 50_000 },
  ])
})

test.each(['', 'a', 'a=', '=3', 'a=b', 'a=connections:0', 'a=fetches:3,bytes:2h', 'a=cars:3', 'a=3,'])(
  '"%s" is not a rule',
  (text) => {
    expect(() => throttleRule(text, undefined)).toThrow('It looks like')
  },
)

test('explains an invalid pattern', () => {
  expect(() => throttleRule('(=3', undefined)).toThrow('This parenthesis is never closed')
})

describe('rechecks', () => {
  test('are set only when they are given', () => {
    expect(withRecheck({})).toEqual({})
    expect(withRecheck({ seeds: ['a'], gone: 'keep' })).toEqual({ seeds: ['a'], recheck: { gone: 'keep' } })
    expect(withRecheck({ continuous: true, interval: 60, reseed: 'never' })).toEqual({
      recheck: { type: 'continuous', intervalSeconds: 60, reseedSeconds: null },
    })
  })
  test('a time for continuous jobs requires a continuous job', () => {
    expect(() => withRecheck({ intervalMax: 60 })).toThrow('--interval-max needs --continuous')
  })
})
