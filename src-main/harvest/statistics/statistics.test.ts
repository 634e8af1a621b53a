import { afterAll, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { openJobs } from '../../crawl/crawl.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { storeCounts } from './countJob.ts'
import { openStatistics } from './statistics.ts'

const store = openStore(':memory:')
afterAll(() => store.close())
const jobs = openJobs(store, seededWorld({ seed: 1, startMs: 0 }))

let objects = 0
const statistics = openStatistics({
  store,
  count: async (job) =>
    storeCounts(store, job, new Map([['a.example', { objects, bytes: 1, stopReason: 'DOWNLOAD_COMPLETE' }]])),
  alarmFactor: () => 2,
})
const end = store.statement<{ job: number; run: number; endedMs: number }>(
  `UPDATE job SET run = @run, ended_ms = @endedMs WHERE id = @job`,
)

test('each run of a job is counted once, also after the clock was set back', async () => {
  // It waits for a window of its schedule, so nothing but this test changes it.
  const schedule = { records: [{ hours: [2] }] }
  const job = jobs.create(harvestDefinition.parse({ seeds: ['http://a.example/'], schedule }))
  expect(await statistics.countNext()).toBeUndefined()
  for (const [run, endedMs] of [
    [1, 2_000],
    [2, 1_000],
  ] as const) {
    end.run({ job, run, endedMs })
    objects += 1
    expect(await statistics.countNext()).toMatchObject({ job, jobRun: run })
    expect(await statistics.countNext()).toBeUndefined()
    expect(statistics.ofJob({ job, offset: 0, limit: 9 }).rows).toMatchObject([{ domain: 'a.example', objects: run }])
  }
})
