import { expect, test } from 'vitest'
import { waitingFindings, type Finding } from './waitingFindings.ts'

const list = { viewing: '', view: 1 }
const detail = { initiator: '', resourceType: 'image', status: null, file: null, offset: null, detail: null }
const missing = (url: string, of = list): Finding => ({
  ...of,
  ...{ kind: 'missing', url, referrer: '', method: 'GET', ...detail },
})
const misses = { ...list, isMiss: 1 } as const

test('equal findings become one entry, with the times of the first and the last', () => {
  const waiting = waitingFindings(10)
  waiting.add(missing('a'), 5)
  waiting.add(missing('a'), 9)
  expect(waiting.size()).toBe(1)
  expect(waiting.addedTo([], misses)).toMatchObject([{ id: -1, url: 'a', firstMs: 5, lastMs: 9, times: 2 }])
})

test('findings that are already stored are counted in their rows', () => {
  const waiting = waitingFindings(10)
  waiting.add(missing('a'), 9)
  waiting.add(missing('b'), 9)
  const row = { ...missing('a'), id: 7, firstMs: 1, lastMs: 2, times: 3 }
  const found = waiting.addedTo([row], misses).map(({ id, url, lastMs, times }) => [id, url, lastMs, times])
  expect(found).toEqual([
    [7, 'a', 9, 4],
    [-1, 'b', 9, 1],
  ])
})

test('a list contains only its own findings of its own kind', () => {
  const waiting = waitingFindings(10)
  waiting.add(missing('a'), 1)
  waiting.add(missing('b', { viewing: '', view: 2 }), 1)
  waiting.add({ ...missing('c'), kind: 'archivedError', status: 500 }, 1)
  expect(waiting.addedTo([], misses).map(({ url }) => url)).toEqual(['a'])
  expect(waiting.addedTo([], { ...list, isMiss: 0 }).map(({ url }) => url)).toEqual(['c'])
})

test('beyond the limit, new findings are dropped and known ones are still counted', () => {
  const waiting = waitingFindings(1)
  for (const url of ['a', 'b', 'a']) waiting.add(missing(url), 1)
  expect([...waiting.all()].map(({ finding: { url }, times }) => [url, times])).toEqual([['a', 2]])
})

test('a list can be deleted, as can all lists of a viewing', () => {
  const waiting = waitingFindings(10)
  const of = (viewing: string, view: number) => waiting.add(missing('a', { viewing, view }), 1)
  of('', 1)
  of('', 2)
  of('viewing-1', 1)
  waiting.dropList(list)
  waiting.dropViewing('viewing-1')
  expect([...waiting.all()].map(({ finding: { viewing, view } }) => [viewing, view])).toEqual([['', 2]])
})
