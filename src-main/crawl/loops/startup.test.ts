/** The start of a run with more seeds than one transaction adds. */
import { expect, test } from 'vitest'
import { linksTo, lived } from './testing/engineFixture.ts'
import { seedsAtOnceMax } from './startup.ts'

const seeds = Array.from({ length: 2 * seedsAtOnceMax + 50 }, (_, at) => `http://site.test/${at}`)
const definition = { seeds, robots: 'ignore', maxObjects: 1, scope: 'page' }

test.each([[[]], [[4, 6]]])(
  'every seed is queued and counted once, with power cuts after %j calls',
  async (cutsAfterCalls) => {
    const { store, jobs, job } = await lived(
      { seed: 1, answer: () => linksTo(), definition, cutsAfterCalls },
      async ({ jobs, job, until }) => {
        await until(/^INACTIVE$/)
        jobs.act(job, 'start')
        await until(/^INACTIVE$/)
      },
    )
    expect(jobs.summary(job).documents.total).toBe(seeds.length)
    const marks = store
      .statement<object, { mark: string; documents: number }>(
        'SELECT seed_mark AS mark, COUNT(*) AS documents FROM document GROUP BY seed_mark',
      )
      .all({})
    expect(marks).toEqual([{ mark: 'S', documents: seeds.length }])
    expect(jobs.show(job).runs.length).toBe(2)
  },
)
