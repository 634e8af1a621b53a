import { expect, it } from 'vitest'
import { elsewhereOf } from './elsewhere.ts'

const at = <Job extends number | null>(job: Job, timestampMs: number) => ({
  ...{
    url: 'http://a.example/',
    timestampMs,
    job,
    filename: `${job ?? 'uploaded'}-1-a.warc.gz`,
    offset: 0,
    length: 1,
    key: 'example,a)/',
  },
  ...{ status: 200, recordType: 'response' as const, mediaType: 'text/html', payloadDigest: '' },
})

/** Jobs 1 to 5 are there, 6 and 7 were deleted. */
function knowing() {
  const asked: unknown[] = []
  const elsewhere = elsewhereOf({
    jobs: { capturedElsewhere: () => [at(1, 20), at(2, 10)], imported: () => [5, 4, 3], exists: (job) => job < 6 },
    archive: { jobsWithFiles: () => [1, 2, 3, 6, 7] },
    indexes: {
      otherCaptures: async (wanted) => {
        asked.push(wanted)
        return { captures: [at(5, 15), at(null, 17)], notSearched: [3] }
      },
    },
  })
  return { asked, elsewhere }
}

it('joins what harvests recorded with captures in other files, the newest first, and excludes those in the view', async () => {
  const { asked, elsewhere } = knowing()
  const found = await elsewhere('http://a.example/', { jobs: [4] })
  expect(found.captures.map(({ job }) => job)).toEqual([1, null, 5, 2])
  expect(found.notSearched).toEqual([3])
  expect(asked).toEqual([{ url: 'http://a.example/', sources: [5, 3, 7, 6, null] }])
})

it('returns nothing for a file in the view', async () => {
  const { elsewhere } = knowing()
  const found = await elsewhere('http://a.example/', { files: ['uploaded-1-a.warc.gz', '2-1-a.warc.gz'] })
  expect(found.captures.map(({ job }) => job)).toEqual([1, 5])
})

it('finds nothing when everything is viewed', async () => {
  const { asked, elsewhere } = knowing()
  expect(await elsewhere('http://a.example/', { all: true })).toEqual({ captures: [], notSearched: [] })
  expect(asked).toEqual([])
})
