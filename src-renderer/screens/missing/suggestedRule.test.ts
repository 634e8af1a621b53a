import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matcherOf, patternOf } from '../../../src-main/patterns/pattern.ts'
import { suggestedRule } from './suggestedRule.ts'

test.each<[string[], string]>([
  [[], ''],
  [['http://a.test/x?y=1'], String.raw`^http://a\.test/x\?y=1$`],
  [['http://a.test/ads/1', 'http://a.test/ads/2'], String.raw`^http://a\.test/ads/`],
  [['http://a.test/', 'http://b.test/'], ''],
])('of %j it is %s', (urls, rule) => expect(suggestedRule(urls)).toBe(rule))

test('a suggested rule is valid and matches every URL that it was made of', () => {
  fc.assert(
    fc.property(fc.array(fc.webUrl({ withQueryParameters: true }), { minLength: 1, maxLength: 5 }), (urls) => {
      const rule = suggestedRule(urls)
      fc.pre(rule !== '')
      const matcher = matcherOf([patternOf(rule)])
      expect(urls.filter((url) => matcher.first(url) === undefined)).toEqual([])
    }),
  )
})
