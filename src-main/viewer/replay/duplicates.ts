/** The content of a duplicate: a capture that has no record of its own, because the harvester found the same content in an earlier
 *  harvest and wrote only into its crawl log where that is. The named record is looked up in the whole archive, whichever jobs are
 *  viewed. Where it is not what the log says (the file was renamed or compressed since), another capture with the same payload digest
 *  has the content: first among the viewed jobs, then in the others. */
import { message } from '../../contract/words/message.ts'
import type { OriginalExpected } from '../../formats/logs/duplicates.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { recordPlace } from '../records/archivedRecord.ts'
import type { ArchivedRecord } from '../records/openedRecord.ts'
import { originalsMax } from '../model/limits.ts'
import {
  firstOriginalAt,
  hasPayload,
  othersWithPayload,
  tryOriginalAt,
  type Looking,
  type Place,
} from './originalRecords.ts'
import { reasonOf } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'

/** The original's record, with the status of the duplicate. Rejects with `Unreadable`. */
export async function openDuplicate(looking: Looking, capture: IndexedCapture): Promise<ArchivedRecord> {
  const { duplicate, payloadDigest, filename, offset } = capture
  if (duplicate === undefined) throw new Error(`the index says nothing of the duplicate ${capture.url}`)
  const { url, timestampMs: atMs, log } = duplicate
  const job = looking.files.archived(filename)?.job ?? capture.job
  const named = { ...capture, url, timestampMs: atMs ?? capture.timestampMs, job, recordType: 'response' as const }
  const first = await tryOriginalAt(looking, named, { payloadDigest, atMs })
  if (!(first instanceof Unreadable)) return withStatus(first, capture.status)
  const other = await firstOriginalAt(looking, await samePayload(looking, { url, atMs, payloadDigest }), payloadDigest)
  if (other) return withStatus(other, capture.status)
  throw new Unreadable(
    message('viewer.duplicate', { log, place: recordPlace({ filename, offset }), problem: first.userMessage }),
  )
}

/** Captures with the same payload, among the viewed jobs, or in the others. */
async function samePayload(looking: Looking, wanted: OriginalExpected & { url: string }): Promise<Place[]> {
  const { payloadDigest } = wanted
  if (payloadDigest === '') return []
  const here = looking.index.originals(wanted, originalsMax).found.filter((each) => hasPayload(each, payloadDigest))
  return here.length > 0 ? here : othersWithPayload(looking, wanted)
}

/** What the server answered to the duplicate's own request is in the crawl log; of its header nothing is known. */
function withStatus(record: ArchivedRecord, status: number | undefined): ArchivedRecord {
  const { head } = record
  if (status === undefined || status === head.status) return record
  return { ...record, head: { ...head, status, reason: reasonOf[status] ?? '' } }
}
