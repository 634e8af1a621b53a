/** The content of a duplicate: a capture that has no record of its own, because the harvester found the same content in an earlier
 *  harvest and wrote only into its crawl log where that is. The named record is looked up in the whole archive, whichever jobs are
 *  viewed. Where it is not what the log says (the file was renamed or compressed since), another capture with the same payload digest
 *  has the content: first among the viewed jobs, then in the others. */
import { message } from '../../contract/words/message.ts'
import { originalContradiction, type OriginalExpected } from '../../formats/logs/duplicates.ts'
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
import { recordPlace } from '../records/archivedRecord.ts'
import type { ArchivedRecord, RecordPlace } from '../records/openedRecord.ts'
import { closeContent } from '../model/content.ts'
import { originalsMax } from '../model/limits.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import { openReadable } from './originals.ts'
import type { OtherCaptures, Located, Tried } from '../viewings/question.ts'
import { reasonOf, type BrowserRequest } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'

/** Where the content is looked for. */
interface Looking {
  files: OpenFiles
  index: Pick<CaptureIndex, 'originals'>
  request: Pick<BrowserRequest, 'signal'>
  /** Captures of a URL in jobs that are not viewed. */
  otherCaptures?: ((url: string) => OtherCaptures | Promise<OtherCaptures>) | undefined
  /** If set, receives every capture that was tried, for an explanation. */
  hops?: Tried[] | undefined
}

/** The original's record, with the status of the duplicate. Rejects with `Unreadable`. */
export async function openDuplicate(looking: Looking, capture: IndexedCapture): Promise<ArchivedRecord> {
  const { files, hops } = looking
  const { duplicate, payloadDigest, filename, offset } = capture
  if (duplicate === undefined) throw new Error(`the index says nothing of the duplicate ${capture.url}`)
  const { url, timestampMs: atMs, log } = duplicate
  const attempt = async (place: Place, expected: OriginalExpected): Promise<ArchivedRecord | Unreadable> => {
    try {
      const record = await openOriginalAt(looking, place, expected)
      hops?.push({ capture: place, isUsed: true, why: null })
      return withStatus(record, capture.status)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      hops?.push({ capture: place, isUsed: false, why: error.userMessage })
      return error
    }
  }
  const job = files.archived(filename)?.job ?? capture.job
  const named = { ...capture, url, timestampMs: atMs ?? capture.timestampMs, job, recordType: 'response' as const }
  const first = await attempt(named, { payloadDigest, atMs })
  if (!(first instanceof Unreadable)) return first
  for (const place of await samePayload(looking, { url, atMs, payloadDigest })) {
    const record = await attempt(place, { payloadDigest, atMs: undefined })
    if (!(record instanceof Unreadable)) return record
  }
  throw new Unreadable(
    message('viewer.duplicate', { log, place: recordPlace({ filename, offset }), problem: first.userMessage }),
  )
}

/** A capture with the place of its record. */
type Place = Located & RecordPlace

/** Captures with the same payload, among the viewed jobs, or in the others. */
async function samePayload(
  { index, otherCaptures }: Looking,
  wanted: OriginalExpected & { url: string },
): Promise<Place[]> {
  if (wanted.payloadDigest === '') return []
  const isSame = ({ payloadDigest, recordType }: Located) =>
    payloadDigest === wanted.payloadDigest && (recordType === 'response' || recordType === 'resource')
  const here = index.originals(wanted, originalsMax).found.filter(isSame)
  if (here.length > 0 || otherCaptures === undefined) return here
  const { captures } = await otherCaptures(wanted.url)
  return captures.filter(isSame).map((each) => ({ ...each, length: each.length ?? 0 }))
}

/** Rejects with `Unreadable` where that record is not the original. */
async function openOriginalAt(
  { files, request: { signal } }: Looking,
  place: RecordPlace,
  expected: OriginalExpected,
): Promise<ArchivedRecord> {
  if (!files.archived(place.filename))
    throw new Unreadable(message('viewer.duplicate.noFile', { file: place.filename }))
  const record = await openReadable(files, place, signal)
  const problem = originalContradiction(record.item, expected)
  if (problem === undefined) return record
  await closeContent(record.body)
  throw new Unreadable(message('viewer.record.notOriginal', { place: recordPlace(place), problem }))
}

/** What the server answered to the duplicate's own request is in the crawl log; of its header nothing is known. */
function withStatus(record: ArchivedRecord, status: number | undefined): ArchivedRecord {
  const { head } = record
  if (status === undefined || status === head.status) return record
  return { ...record, head: { ...head, status, reason: reasonOf[status] ?? '' } }
}
