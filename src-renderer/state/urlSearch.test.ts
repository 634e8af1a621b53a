import { expect, test } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import type { FoundUrls } from '../../src-main/contract/services/search.ts'
import { makeUrlSearch } from './urlSearch.ts'

const found = (url: string, next: string | null): FoundUrls => ({
  urls: [
    {
      ...{ url, mediaType: 'text/html', status: 200, job: 1, captures: 1, hasMoreCaptures: false },
      ...{ first: '2024-05-01T00:00:00.000Z', last: '2024-05-01T00:00:00.000Z' },
    },
  ],
  ...{ compared: 5, next, indexing: null, filesMissing: 0 },
})

function answering() {
  const asked: { url: string; after?: string | undefined; jobs?: number[] | undefined; answer: (found: FoundUrls) => void; refuse: (fault: Fault) => void }[] = [] // prettier-ignore
  const store = makeUrlSearch({
    search: {
      urls: ({ url, after, jobs }) =>
        new Promise((resolve, reject) => asked.push({ url, after, jobs, answer: resolve, refuse: reject })),
    },
  })
  return { store, asked, urls: () => store.getState().answers.flatMap(({ urls }) => urls.map(({ url }) => url)) }
}

const query = { url: 'a', match: 'prefix', jobs: [] } as const

test('an answer to an older query never replaces that to a newer one', async () => {
  const { store, asked, urls } = answering()
  const both = [store.getState().search(query), store.getState().search({ ...query, url: 'b' })]
  asked[1]?.answer(found('b', null))
  await both[1]
  asked[0]?.answer(found('a', null))
  await both[0]
  expect(urls()).toEqual(['b'])
})

test('further URLs are added where the last answer ended', async () => {
  const { store, asked, urls } = answering()
  const first = store.getState().search({ ...query, jobs: [3] })
  asked[0]?.answer(found('a', 'key'))
  await first
  const second = store.getState().more()
  expect(asked[1]).toMatchObject({ url: 'a', after: 'key', jobs: [3] })
  asked[1]?.answer(found('b', null))
  await second
  expect(urls()).toEqual(['a', 'b'])
  await store.getState().more()
  expect(asked).toHaveLength(2)
})

test('a search that is asked again replaces what it found', async () => {
  const { store, asked, urls } = answering()
  const first = store.getState().search(query)
  asked[0]?.answer({ ...found('a', null), indexing: { filesDone: 1, filesTotal: 2 } })
  await first
  const second = store.getState().search(query)
  expect(urls()).toEqual(['a'])
  asked[1]?.answer(found('b', null))
  await second
  expect(urls()).toEqual(['b'])
})

test('a refusal is shown without the results of the query before', async () => {
  const { store, asked, urls } = answering()
  const first = store.getState().search(query)
  asked[0]?.answer(found('a', null))
  await first
  const second = store.getState().search({ ...query, url: 'b' })
  asked[1]?.refuse(new Fault('refused', 'not in this test'))
  await second
  expect(urls()).toEqual([])
  expect(store.getState().fault?.code).toBe('refused')
})
