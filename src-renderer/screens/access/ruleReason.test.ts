import { expect, test } from 'vitest'
import type { SecurityRule } from '../../../src-main/contract/services/security.ts'
import { translate } from '../../words/language.ts'
import { ruleReason, tokensOfGroup } from './ruleReason.ts'

const rule = (allow: string[], deny: string[] = []): SecurityRule => {
  return { rule: 1, job: null, surtPrefix: '', level: 'share', group: 'Library', allow, deny }
}

test('tokens of a group are decoded', () => {
  const tokens = ['Library:maps%2C+old', 'Other:staff', 'Old+Library:x%3Ay']
  expect(tokensOfGroup(tokens, 'Library')).toEqual(['maps, old'])
  expect(tokensOfGroup(tokens, 'Old Library')).toEqual(['x:y'])
})

test.each([
  ['an allow token', rule(['staff', 'maps']), ['maps'], 'The user has the allow token maps.'],
  ['a deny token counts first', rule(['maps'], ['guests']), ['maps', 'guests'], 'The user has the deny token guests.'],
  ['no allow token', rule(['staff', 'maps']), ['press'], 'The user has none of the allow tokens: staff, maps.'],
  [
    'a rule that only denies',
    rule([], ['guests']),
    ['maps'],
    'The rule allows no token, so no user sees these captures.',
  ],
  ['no answer', rule(['maps']), ['maps', 'DEAD_AUTHORITY'], 'An authority of this group gave no answer, so everything that the group secures is hidden.'], // prettier-ignore
])('the reason names %s', (_, given, held, reason) => {
  expect(ruleReason(translate, given, held)).toBe(reason)
})
