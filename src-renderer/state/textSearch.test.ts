import { expect, test } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import type { SearchFound } from '../../src-main/contract/services/search.ts'
import { hasMore, makeTextSearch, resultsOf } from './textSearch.ts'

function found(query: string, { total, offset }: { total: number; offset: number }): SearchFound {
  const count = Math.min(20, total - offset)
  return {
    ...{ total, facets: null, months: null, suggestion: null, findings: [] },
    results: Array.from({ length: count }, (_, at) => ({
      ...{ title: `${query} ${offset + at}`, url: 'http://a.example/', snippet: [], time: '2024-05-01T00:00:00.000Z' },
      ...{
        job: 1,
        status: 200,
        mediaType: 'text/html',
        language: '',
        file: 'a.warc.gz',
        offset: 0,
        captures: 1,
        urls: 1,
      },
    })),
  }
}

/** A service whose answers come when the test gives them. */
function answering() {
  const asked: { query: string; offset: number; answer: (total: number) => void; refuse: (fault: Fault) => void }[] = []
  const store = makeTextSearch({
    search: {
      find: ({ query, offset = 0 }) =>
        new Promise((resolve, reject) => {
          asked.push({ query, offset, answer: (total) => resolve(found(query, { total, offset })), refuse: reject })
        }),
    },
  })
  return { store, asked, titles: () => resultsOf(store.getState().answers).map(({ title }) => title) }
}

test('an answer to an older query never replaces that to a newer one', async () => {
  const { store, asked, titles } = answering()
  const both = [store.getState().search('old'), store.getState().search('new')]
  asked[1]?.answer(1)
  await both[1]
  asked[0]?.answer(1)
  await both[0]
  expect(titles()).toEqual(['new 0'])
})

test('a refusal of an older query does not show with a newer one', async () => {
  const { store, asked, titles } = answering()
  const both = [store.getState().search('old'), store.getState().search('new')]
  asked[0]?.refuse(new Fault('badInput', 'not in this test'))
  await both[0]
  expect(store.getState()).toMatchObject({ isAsking: true, fault: null })
  asked[1]?.answer(1)
  await both[1]
  expect(titles()).toEqual(['new 0'])
})

test('further results are added until there are no more', async () => {
  const { store, asked, titles } = answering()
  const first = store.getState().search('a')
  asked[0]?.answer(21)
  await first
  expect(hasMore(store.getState().answers)).toBe(true)
  const second = store.getState().more()
  asked[1]?.answer(21)
  await second
  expect(titles()).toHaveLength(21)
  expect(titles().at(-1)).toBe('a 20')
  expect(hasMore(store.getState().answers)).toBe(false)
  await store.getState().more()
  expect(asked).toHaveLength(2)
})

test('more than the engine keeps in order is not offered', () => {
  const answers = (count: number) =>
    Array.from({ length: count }, (_, at) => found('a', { total: 5_000, offset: 20 * at }))
  expect([hasMore(answers(49)), hasMore(answers(50))]).toEqual([true, false])
})

test('a refused query shows its reason and no results of the one before', async () => {
  const { store, asked, titles } = answering()
  const first = store.getState().search('a')
  asked[0]?.answer(1)
  await first
  const second = store.getState().search('"')
  asked[1]?.refuse(new Fault('badInput', 'not in this test'))
  await second
  expect(titles()).toEqual([])
  expect(store.getState().fault?.code).toBe('badInput')
})
