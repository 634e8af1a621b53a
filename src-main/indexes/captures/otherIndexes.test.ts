import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openIndexes } from '../indexes.ts'
import { capturesOfUrlMax, otherCapturesMax } from '../model/limits.ts'
import { createArchive } from '../testing/archiveFixture.ts'

const url = 'http://often.example/'
const rowsFrom = (startMs: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ url, at: new Date(startMs + at * 60_000).toISOString() }))

it('returns the newest captures up to the limit, of the requested jobs only', async () => {
  await using made = await createArchive()
  const [startMs, endMs] = [Date.UTC(2010, 0, 1), Date.UTC(2024, 0, 1)]
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: rowsFrom(startMs, capturesOfUrlMax + 1) })
  await made.add({ name: '2-1-a.warc.gz', job: 2, rows: rowsFrom(endMs, otherCapturesMax + 1) })
  const indexes = await openIndexes({
    folder: join(made.folder, 'indexes'),
    world: made.world,
    archive: made.archive,
    tasks: made.tasks,
  })
  ;(await indexes.captureIndexFor({ jobs: [1, 2] })).close()
  const newestOf = async (...jobs: number[]) => {
    const { captures } = await indexes.otherCaptures({ url, sources: jobs })
    return captures.map(({ job, timestampMs }) => [job, timestampMs])
  }
  const lastOf = (job: number, lastMs: number) =>
    Array.from({ length: otherCapturesMax }, (_, at) => [job, lastMs - at * 60_000])
  expect(await newestOf(1)).toEqual(lastOf(1, startMs + capturesOfUrlMax * 60_000))
  expect(await newestOf(1, 2)).toEqual(lastOf(2, endMs + otherCapturesMax * 60_000))
  await indexes.close()
}, 60_000)
