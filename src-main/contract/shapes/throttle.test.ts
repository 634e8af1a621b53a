import { describe, expect, test } from 'vitest'
import { refusalOf } from '../calls/refusedValue.ts'
import { textOf } from '../words/render.ts'
import { limitsBy, throttleRule, throttleShape, unlimited, type ThrottleRule } from './throttle.ts'

describe('the limits of a bin', () => {
  const rules: ThrottleRule[] = [
    { match: '\\.example\\.org$', fetchesPerMinute: 60, connections: 2 },
    { match: '^slow\\.', fetchesPerMinute: 6 },
    { match: 'example', bytesPerSecond: 5000 },
    { match: '^never\\.', fetchesPerMinute: 0 },
  ]
  const rows: [bin: string, limits: Partial<typeof unlimited>][] = [
    ['other.test', {}],
    ['www.example.org', { fetchesPerMs: 0.001, connections: 2, bytesPerMs: 5 }],
    // Two rules name a rate: the stricter one holds, and the other's connections stay.
    ['slow.example.org', { fetchesPerMs: 0.0001, connections: 2, bytesPerMs: 5 }],
    ['never.test', { fetchesPerMs: 0 }],
    ['', {}],
  ]
  test.each(rows)('%s', (bin, limits) => {
    const limitsOf = limitsBy(rules)
    expect(limitsOf(bin)).toEqual({ ...unlimited, ...limits })
    expect(limitsOf(bin)).toEqual({ ...unlimited, ...limits })
  })

  test('a rule with a pattern that is no longer valid limits nothing', () => {
    expect(limitsBy([{ match: '(?!a)', connections: 1 }, ...rules])('slow.example.org')).toMatchObject({
      connections: 2,
    })
  })

  test('without rules nothing is limited', () => expect(limitsBy([])('a.test')).toEqual(unlimited))
})

describe('refuses a rule without effect', () => {
  const wrong: [string, unknown, string][] = [
    ['no limit in it', { match: 'a' }, 'The input must have a limit: fetchesPerMinute, connections or bytesPerSecond.'],
    ['an empty pattern', { match: '', connections: 1 }, 'match must not be empty.'],
    ['a connection less than one', { match: 'a', connections: 0 }, 'connections must be at least 1.'],
  ]
  test.each(wrong)('%s', (_, rule, text) => {
    const { error } = throttleRule.safeParse(rule)
    expect(error && textOf(refusalOf(error, rule))).toBe(text)
  })

  test('an empty throttle has no rules', () => expect(throttleShape.parse({})).toEqual({ rules: [] }))
})
