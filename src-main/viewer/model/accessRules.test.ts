import { expect, test } from 'vitest'
import { accessTo, type AccessRule } from './accessRules.ts'

const rules: AccessRule[] = [
  { surtPrefix: 'com,example', effect: 'exclude' },
  { surtPrefix: 'com,example,open)', effect: 'allow' },
  { surtPrefix: 'org,museum)/private/', effect: 'block' },
  { surtPrefix: 'org,museum)/private/press', effect: 'exclude' },
  { surtPrefix: 'org,museum)/private/press', effect: 'allow' },
]

test.each([
  ['http://example.com/', 'exclude'],
  ['https://www.example.com/a', 'exclude'],
  ['http://deep.example.com/a', 'exclude'],
  ['http://example.com:8080/', 'exclude'],
  ['http://open.example.com/a', 'allow'],
  ['http://opener.example.com/a', 'exclude'],
  ['http://examples.com/', 'allow'],
  ['http://museum.org/private/a', 'block'],
  ['http://museum.org/PRIVATE/a?x', 'block'],
  ['http://museum.org/private', 'allow'],
  ['http://museum.org/private/press/1', 'allow'],
])('%s: %s', (url, effect) => {
  expect(accessTo(url, rules)).toBe(effect)
})

test('without rules everything is shown', () => {
  expect(accessTo('http://example.com/', [])).toBe('allow')
})
