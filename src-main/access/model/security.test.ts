import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SecurityRule } from '../../contract/services/security.ts'
import { tokenLevels } from '../../contract/shapes/choices.ts'
import { groupDecisions, sightOf } from './security.ts'
import { deadAuthorityToken, qualified } from './tokens.ts'

const rule = (changes: Partial<SecurityRule>): SecurityRule => ({
  ...{ rule: 1, job: null, surtPrefix: '', level: 'share', group: 'g', allow: ['a'], deny: [] },
  ...changes,
})
const tokensOf = (...tokens: string[]) => new Set(tokens.map((token) => qualified('g', token)))

test('the longest prefix decides on a level, and of equal prefixes the rule of the job', () => {
  const rules = [
    rule({ rule: 1, surtPrefix: 'com,example' }),
    rule({ rule: 2, surtPrefix: 'com,example)/maps', allow: ['maps'] }),
    rule({ rule: 3, surtPrefix: 'com,example', job: 7, allow: ['seven'] }),
    rule({ rule: 4, level: 'document', surtPrefix: 'com,example)/maps/new', deny: ['guest'], allow: ['maps'] }),
    rule({ rule: 5, surtPrefix: 'com,example)/maps', group: 'h' }),
  ]
  const decidingOn = (job: number | null, url: string) =>
    groupDecisions(rules, tokensOf(), { job, url }).flatMap(({ levels }) => levels.map((each) => each.rule.rule))
  expect(decidingOn(1, 'https://www.example.com/')).toEqual([1])
  expect(decidingOn(7, 'https://www.example.com/')).toEqual([3])
  expect(decidingOn(null, 'https://shop.example.com/')).toEqual([1])
  expect(decidingOn(7, 'http://example.com/maps/1')).toEqual([2, 5])
  expect(decidingOn(1, 'http://example.com/MAPS/new/')).toEqual([4, 2, 5])
  expect(decidingOn(1, 'http://examples.com/')).toEqual([])
})

test('each group says whether it agrees, and by which rules', () => {
  const rules = [
    rule({ rule: 1 }),
    rule({ rule: 2, level: 'document', allow: ['b'] }),
    rule({ rule: 3, group: 'f', allow: ['a'] }),
  ]
  const decisions = groupDecisions(rules, tokensOf('a'), { job: 1, url: 'http://a.test/' })
  expect(decisions).toMatchObject([
    { group: 'f', isAgreed: false, levels: [{ level: 'share', rule: { rule: 3 }, isAgreed: false }] },
    {
      group: 'g',
      isAgreed: false,
      levels: [
        { level: 'document', rule: { rule: 2 }, isAgreed: false },
        { level: 'share', rule: { rule: 1 }, isAgreed: true },
      ],
    },
  ])
})

const token = fc.constantFrom('a', 'b', 'c', deadAuthorityToken)
const group = fc.constantFrom('g', 'h')
const job = fc.constantFrom(null, 1, 2)
const someRules = fc
  .array(
    fc.record({
      job,
      surtPrefix: fc.constantFrom('', 'test', 'test,a', 'test,a)/', 'test,a)/private', 'test,b)/'),
      ...{ level: fc.constantFrom(...tokenLevels), group },
      allow: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 }),
      deny: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 1 }),
    }),
    { maxLength: 6 },
  )
  .map((all) => {
    const places = new Map(all.map((each) => [`${each.job} ${each.surtPrefix} ${each.level} ${each.group}`, each]))
    return [...places.values()].map((each, index) => ({ rule: index + 1, ...each }))
  })
const someTokens = fc
  .array(fc.tuple(group, token), { maxLength: 5 })
  .map((all) => new Set(all.map((each) => qualified(...each))))
const someCapture = fc.record({
  job: fc.constantFrom(null, 1, 2, 3),
  url: fc.constantFrom(
    'http://a.test/',
    'http://a.test/private/1',
    'http://www.b.test/x',
    'http://other.example/',
    'urn:x',
  ),
})

test('a capture is shown where the rule that decides agrees on every level of every group', () => {
  fc.assert(
    fc.property(someRules, someTokens, someCapture, (rules, held, capture) => {
      const isAgreed = groupDecisions(rules, held, capture).every((each) => each.isAgreed)
      expect(sightOf(rules, held).capture(capture)).toBe(isAgreed)
    }),
  )
})

test('seeing everything includes each job, and seeing a job includes each of its captures', () => {
  fc.assert(
    fc.property(someRules, someTokens, someCapture, (all, held, capture) => {
      const sight = sightOf(all, held)
      if (sight.everything) expect(sight.wholeJob(capture.job)).toBe(true)
      if (sight.wholeJob(capture.job)) expect(sight.capture(capture)).toBe(true)
    }),
  )
})

test('the order of the rules does not matter', () => {
  fc.assert(
    fc.property(
      someRules.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      someTokens,
      someCapture,
      ([all, shuffled], held, capture) => {
        const seen = (rules: readonly SecurityRule[]) => sightOf(rules, held).capture(capture)
        expect(seen(shuffled)).toBe(seen(all))
      },
    ),
  )
})
