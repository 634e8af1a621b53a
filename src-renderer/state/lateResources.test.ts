import { expect, test } from 'vitest'
import type { Answer } from '../../src-main/contract/services/viewer.ts'
import { withLate } from './lateResources.ts'

const answer = (id: number, changed: Partial<Answer> = {}): Answer =>
  ({
    id,
    method: 'GET',
    url: `http://a.example/${id}`,
    navigation: false,
    status: 200,
    file: 'a.warc',
    offset: id,
    ...changed,
  }) as Answer
const page = answer(1, { navigation: true })
const idsOf = (answers: readonly Answer[]) => answers.map(({ id }) => id)

test('a response is added once, and the page as it is known', () => {
  const named: Answer = { ...page, resourceType: 'document' }
  const first = withLate([], { late: [page, answer(2)], page: named, most: 9 })
  expect(first[0]).toBe(named)
  expect(idsOf(withLate(first, { late: [page, answer(2), answer(3)], page: named, most: 9 }))).toEqual([1, 2, 3])
})

test('a URL that was requested again is listed once per result', () => {
  const missing = { url: 'http://a.example/lamp.png', status: 404, file: null, offset: null }
  const late = [
    answer(2, missing),
    answer(3, missing),
    answer(4, { ...missing, status: 200, file: 'a.warc', offset: 9 }),
  ]
  expect(idsOf(withLate([page], { late, page, most: 9 }))).toEqual([1, 2, 4])
  expect(idsOf(withLate([page, answer(2, missing)], { late: [answer(5, missing)], page, most: 9 }))).toEqual([1, 2])
})

test('the same URL as a page and as a part of one is listed twice', () => {
  const part = answer(2, { url: page.url, offset: page.offset })
  expect(idsOf(withLate([page], { late: [part], page, most: 9 }))).toEqual([1, 2])
})

test('the newest stay', () => {
  expect(idsOf(withLate([answer(1), answer(2)], { late: [answer(3)], page: null, most: 2 }))).toEqual([2, 3])
})
