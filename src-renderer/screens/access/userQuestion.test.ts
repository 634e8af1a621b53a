import { expect, test } from 'vitest'
import { translate } from '../../words/language.ts'
import { jobTyped } from './jobTyped.ts'
import { emptyQuestion, questionProblems } from './userQuestion.ts'

const problems = (changes: Partial<typeof emptyQuestion>) =>
  Object.entries(questionProblems(translate, { ...emptyQuestion, ...changes })).filter(
    ([, problem]) => problem !== null,
  )

test('a user name is needed, a domain is asked once, and a job needs a URL', () => {
  expect(problems({}).map(([field]) => field)).toEqual(['user 0'])
  const anna = { user: 'anna', domain: '' }
  expect(problems({ users: [anna] })).toEqual([])
  expect(problems({ users: [anna, { user: 'a.smith', domain: '' }] }).map(([field]) => field)).toEqual(['domain 1'])
  expect(problems({ users: [anna, { user: 'a.smith', domain: 'staff' }] })).toEqual([])
  expect(problems({ users: [anna], job: 3 }).map(([field]) => field)).toEqual(['url'])
  expect(problems({ users: [anna], job: 3, url: 'http://a.test/' })).toEqual([])
  expect(problems({ users: [anna], job: '3x', url: 'http://a.test/' }).map(([field]) => field)).toEqual(['job'])
})

test('the number of a job is a whole number', () => {
  expect([jobTyped(''), jobTyped(3), jobTyped(0), jobTyped(1.5), jobTyped('-')]).toEqual([
    ...[null, 3, undefined, undefined, undefined],
  ])
})
