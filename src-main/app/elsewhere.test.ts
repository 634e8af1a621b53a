import { expect, it } from 'vitest'
import { elsewhereOf } from './elsewhere.ts'

const at = (job: number, timestampMs: number) => ({
  ...{
    url: 'http://a.example/',
    timestampMs,
    job,
    filename: `${job}-1-a.warc.gz`,
    offset: 0,
    length: 1,
    key: 'example,a)/',
  },
  ...{ status: 200, recordType: 'response' as const, mediaType: 'text/html', payloadDigest: '' },
})

it('puts together what harvests know and what imported jobs have, the newest first, and asks of none that is viewed', async () => {
  const asked: unknown[] = []
  const elsewhere = elsewhereOf({
    jobs: { capturedElsewhere: () => [at(1, 20), at(2, 10)], imported: () => [5, 4, 3] },
    indexes: {
      elsewhere: async (wanted) => {
        asked.push(wanted)
        return { captures: [at(5, 15)], jobsUnknown: [3] }
      },
    },
  })
  const found = await elsewhere('http://a.example/', [4])
  expect(found.captures.map(({ job }) => job)).toEqual([1, 5, 2])
  expect(found.jobsUnknown).toEqual([3])
  expect(asked).toEqual([{ url: 'http://a.example/', jobs: [5, 3] }])
})
