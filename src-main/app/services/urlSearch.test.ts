/** The call `urls` of the search, over real indexes and, for an index that is being built, over one that the test completes. */
import { expect, test } from 'vitest'
import { sightOfEverything, type Sight } from '../../access/access.ts'
import { operatorCaller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { shownCaptures } from '../../formats/cdx/captureRules.ts'
import type { CaptureIndex } from '../../indexes/indexes.ts'
import { archiveWith, indexesOver } from '../../indexes/testing/openedIndexes.ts'
import { onlyJob } from '../../indexes/testing/onlyJob.ts'
import { urlSearch, type UrlSearchParts } from './urlSearch.ts'

/** Job 3 runs, and no job was deleted. */
const jobs = {
  known: (job: number) => ({ ended: job === 3 ? null : '2024-01-01T00:00:00Z', status: 'Running' }),
  exists: () => true,
} as unknown as UrlSearchParts['jobs']

const row = { url: 'http://a.test/x', at: '2024-05-01T00:00:00.250Z' }

type Asked = Parameters<ReturnType<typeof urlSearch>>[0]
const caller = operatorCaller('curator', 'window')

/** The call, by a caller who sees everything, or what is given. */
function searchWith(parts: Omit<UrlSearchParts, 'sightFor'>, sight: Sight = sightOfEverything) {
  const urls = urlSearch({ ...parts, sightFor: async () => sight })
  return (asked: Asked) => urls(asked, caller)
}

async function searchOver(...files: Parameters<typeof archiveWith>) {
  const made = await archiveWith(...files)
  return searchWith({ indexes: await indexesOver(made), archive: made.archive, jobs })
}

test('the whole archive, or some jobs, are searched', async () => {
  const urls = await searchOver(
    { name: '1-1.warc.gz', job: 1, rows: [row] },
    { name: '2-1.warc.gz', job: 2, rows: [{ url: 'http://a.test/y', at: '2024-06-01T00:00:00Z' }] },
    { name: 'uploaded.warc.gz', job: null, rows: [{ url: 'http://a.test/z', at: '2024-07-01T00:00:00Z' }] },
  )
  const found = async (of?: number[]) => {
    const { urls: listed } = await urls({ url: 'a.test', untilWhole: true, ...(of && { jobs: of }) })
    return listed.map(({ url }) => url.slice(-1)).join('')
  }
  expect([await found(), await found([1]), await found([1, 2])]).toEqual(['xyz', 'x', 'xy'])
  expect(await urls({ url: 'a.test/x', untilWhole: true, jobs: [1] })).toEqual({
    urls: [
      {
        ...{ url: row.url, mediaType: 'text/html', status: 200, job: 1, captures: 1, hasMoreCaptures: false },
        ...{ first: row.at, last: row.at },
      },
    ],
    ...{ compared: 1, next: null, indexing: null, filesMissing: 0 },
  })
})

test('what the caller may not see is not listed', async () => {
  const made = await archiveWith(
    { name: '1-1.warc.gz', job: 1, rows: [row] },
    { name: '2-1.warc.gz', job: 2, rows: [row, { url: 'http://a.test/secret', at: row.at }] },
  )
  const rules = onlyJob(1)
  const sight = { everything: false, rules, ...shownCaptures(rules) }
  const urls = searchWith({ indexes: await indexesOver(made), archive: made.archive, jobs }, sight)
  expect((await urls({ url: 'a.test', untilWhole: true })).urls).toMatchObject([{ url: row.url, job: 1, captures: 1 }])
})

test('an archive without files has no URLs', async () => {
  const urls = await searchOver()
  expect(await urls({ url: '*', match: 'pattern' })).toMatchObject({ urls: [], next: null, indexing: null })
})

test('a running job is refused, as in the viewer, and one without files is not found', async () => {
  const urls = await searchOver({ name: '3-1.warc.gz', job: 3, rows: [row] })
  const codeOf = (job: number) =>
    urls({ url: 'a.test', jobs: [job] }).then(undefined, (error: unknown) => error instanceof Fault && error.code)
  expect([await codeOf(3), await codeOf(4)]).toEqual(['refused', 'notFound'])
})

/** An index that is being built until `complete` is called. */
function growingIndex() {
  const { promise: whole, resolve: complete } = Promise.withResolvers<void>()
  const state = { isGrowing: true, closed: 0 }
  const index = {
    get isGrowing() {
      return state.isGrowing
    },
    progress: { filesDone: 1, filesTotal: 2, jobsDone: 0, captures: 0 },
    completeness: { filesMissing: [] },
    whole: whole.then(() => void (state.isGrowing = false)),
    urls: async () => ({ urls: [], keysRead: 0, next: undefined }),
    close: () => void state.closed++,
  } as unknown as CaptureIndex
  return { index, state, complete }
}

test('an index that is being built stays open until it is complete or another one is built, and is closed once', async () => {
  const [first, second] = [growingIndex(), growingIndex()]
  const opened = [first, second]
  const urls = searchWith({
    indexes: { captureIndexFor: async () => opened.shift()?.index ?? expect.fail('opened once more') },
    archive: { hasFilesOf: () => true, file: () => undefined, jobsWithFiles: () => [1], namesWithoutJob: () => [] },
    jobs,
  })
  expect(await urls({ url: 'a.test', jobs: [1] })).toMatchObject({ indexing: { filesDone: 1, filesTotal: 2 } })
  expect(first.state.closed).toBe(0)
  await urls({ url: 'a.test', jobs: [2] })
  expect([first.state.closed, second.state.closed]).toEqual([1, 0])
  for (const { index, complete } of [first, second]) {
    complete()
    await index.whole
  }
  await Promise.resolve()
  expect([first.state.closed, second.state.closed]).toEqual([1, 1])
})
