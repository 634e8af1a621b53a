/** To which jobs of a view a URL is missing, and how many misses a job keeps of a page's requests. */
import { expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import type { ViewedSelection } from '../../viewer/viewer.ts'
import { openJobs } from '../../crawl/crawl.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { pagesPerMissMax } from '../model/limits.ts'
import { browsedMisses } from './browsed.ts'

const page = 'http://a.test/'
const missed = { view: 1, url: 'http://a.test/x.png', page, method: 'GET', resourceType: 'image', firstMs: 1, lastMs: 1, times: 1 } // prettier-ignore

/** Makes jobs 1 to 3 and a view of `selection`. The jobs in `owners` have captured the page, and job 3 has captured the URL itself. */
function browsing(selection: Partial<ViewedSelection> | undefined, owners: readonly number[]) {
  const store = openStore(':memory:')
  const jobs = openJobs(store, seededWorld({ seed: 1 }))
  for (let made = 0; made < 3; made += 1) jobs.create(harvestDefinition.parse({ seeds: [page] }))
  const note = browsedMisses({
    store,
    jobs: {
      known: jobs.known,
      fateOf: (job) => (job === 3 ? { is: 'captured', status: 200 } : { is: 'neverFound' }),
      capturedIn: (_, viewed) => owners.filter((owner) => viewed.includes(owner)),
    },
    selectionOf: () => selection && { jobs: [], files: [], all: false, overlays: [], ...selection },
    jobsWithFiles: () => [1, 2, 3],
  })
  const lacking = () =>
    store
      .statement<object, { job: number }>('SELECT job_id AS job FROM miss ORDER BY 1')
      .all({})
      .map(({ job }) => job)
  return { store, note, lacking }
}

test.each<[string, Partial<ViewedSelection> | undefined, number[], number[]]>([
  ['the job that captured the page', { jobs: [1, 2] }, [2], [2]],
  ['every chosen job, if none is known to have the page', { jobs: [1, 2] }, [], [1, 2]],
  ['no job that has captured the URL', { jobs: [1, 3] }, [1, 3], [1]],
  ['the owners of the page in the whole archive', { all: true }, [1], [1]],
  ['no job of the whole archive, if none has the page', { all: true }, [], []],
  ['no job that was deleted', { jobs: [1, 99] }, [], [1]],
  ['no job, in a view of files', { files: ['a.warc'] }, [], []],
  ['no job, if the view is gone', undefined, [], []],
])('a URL is missing from %s', (_, selection, owners, expected) => {
  const { note, lacking } = browsing(selection, owners)
  note([missed])
  note([missed])
  expect(lacking()).toEqual(expected)
})

test('a miss keeps the first pages that wanted it, up to a limit', () => {
  const { store, note } = browsing({ jobs: [1] }, [])
  note(Array.from({ length: pagesPerMissMax + 5 }, (_, at) => ({ ...missed, page: `${page}${at}` })))
  const pages = store.statement<object, { pages: number }>('SELECT COUNT(*) AS pages FROM miss_page').get({})?.pages
  expect([pages, store.statement<object, { times: number }>('SELECT times FROM miss').get({})?.times]).toEqual([
    pagesPerMissMax,
    pagesPerMissMax + 5,
  ])
})

test('a text that is no URL is left out', () => {
  const { note, lacking } = browsing({ jobs: [1] }, [])
  note([{ ...missed, url: 'no address' }])
  expect(lacking()).toEqual([])
})
