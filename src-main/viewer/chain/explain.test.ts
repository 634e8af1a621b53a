/** Explanations of a record that was sent once and cannot be read again. For other explanations, see `chain.test.ts`. */
import { sightOfEverything } from '../../access/access.ts'
import { operator } from '../testing/viewerFixture.ts'
import { expect, test } from 'vitest'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { openBrokenRecords } from '../records/brokenRecords.ts'
import { openRecordCache } from '../records/recordCache.ts'
import { realWorld } from '../../world/real.ts'
import { explain } from './explain.ts'
import type { Question } from '../viewings/question.ts'
import type { Shown, Viewing } from '../viewings/viewings.ts'

const url = 'http://site.example/'
const shown = { view: { jobs: [1], withinMs: undefined } } as unknown as Shown

test.each(['response', 'revisit'])('explains a %s whose file was removed in the meantime', async (recordType) => {
  const capture = { url, recordType, filename: '1-1-a.warc.gz', offset: 0 } as unknown as IndexedCapture
  let released = 0
  const explained = await explain(
    {
      files: {
        archived: () => undefined,
        borrow: async () => undefined,
        close: async () => undefined,
        broken: openBrokenRecords(),
        recent: openRecordCache({ bytesMax: () => 0, clock: realWorld().clock }),
      },
      sightFor: async () => sightOfEverything,
      question: (request, _, sight) => ({
        question: {
          ...request,
          ...{ sight, shown, moment: { kind: 'newest' } },
          inexact: [],
          otherCaptures: { captures: [], notSearched: [] },
        } as unknown as Question,
        release: () => (released += 1),
      }),
      async chain({ trace }) {
        trace?.candidates.push({ capture, isUsed: true, why: null }, { capture, isUsed: false, why: null })
        return { status: 200, reason: 'OK', fields: [], body: Buffer.of(), capture, missing: false, by: 'exactCapture' }
      },
      lastRequests: { of: () => undefined },
      viewings: { shared: {} as Viewing, own: () => [] },
    },
    { url, method: 'GET', isPage: false },
    operator,
  )
  expect(explained).toMatchObject({
    ...{ answeredBy: 'exactCapture', archived: null, revisitHops: [], sent: { status: 200 } },
    candidates: [{ why: { code: 'viewer.record.noReplica', values: { file: '1-1-a.warc.gz' } } }, { why: null }],
  })
  expect(released).toBe(1)
})
