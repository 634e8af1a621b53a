/** Opens records that may be the original of a revisit or of a duplicate, in the viewed jobs or in any file of the archive. */
import { message } from '../../contract/words/message.ts'
import { originalContradiction, type OriginalExpected } from '../../formats/logs/duplicates.ts'
import type { CaptureIndex } from '../../indexes/indexes.ts'
import { closeContent, readAhead } from '../model/content.ts'
import { wholeBodyBytesMax } from '../model/limits.ts'
import type { BrowserRequest } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'
import { openRecord, recordPlace } from '../records/archivedRecord.ts'
import type { ArchivedRecord, RecordPlace } from '../records/openedRecord.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import type { Located, OtherCaptures, Tried } from '../viewings/question.ts'

/** Where originals are looked for. */
export interface Looking {
  files: OpenFiles
  index: Pick<CaptureIndex, 'originals'>
  request: Pick<BrowserRequest, 'signal'>
  /** Captures of a URL in jobs that are not viewed. */
  otherCaptures?: ((url: string) => OtherCaptures | Promise<OtherCaptures>) | undefined
  /** If set, receives every capture that was tried, for an explanation. */
  hops?: Tried[] | undefined
}

/** A capture with the place of its record. */
export type Place = Located & RecordPlace

/** Opens a record and reads its body ahead. Damage is noticed only at the end of a body, so while the body is in memory another
 *  original can still be used. */
export async function openReadable(
  files: OpenFiles,
  capture: RecordPlace,
  signal: AbortSignal,
): Promise<ArchivedRecord> {
  const { body: unread, bodyBytes, ...record } = await openRecord(files, capture, signal)
  const body = await readAhead(unread, wholeBodyBytesMax)
  return { ...record, body, bodyBytes: body instanceof Uint8Array ? body.length : bodyBytes }
}

/** Opens the record at a place outside the view. Returns why it cannot be used, and notes it in the explanation. */
export async function tryOriginalAt(
  { files, request, hops }: Looking,
  place: Place,
  expected: OriginalExpected,
): Promise<ArchivedRecord | Unreadable> {
  try {
    const record = await openOriginalAt(files, { place, expected, signal: request.signal })
    hops?.push({ capture: place, isUsed: true, why: null })
    return record
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    hops?.push({ capture: place, isUsed: false, why: error.userMessage })
    return error
  }
}

/** Opens the first of these places whose record has this payload; undefined if none can be used. */
export async function firstOriginalAt(
  looking: Looking,
  places: readonly Place[],
  payloadDigest: string,
): Promise<ArchivedRecord | undefined> {
  for (const place of places) {
    const record = await tryOriginalAt(looking, place, { payloadDigest, atMs: undefined })
    if (!(record instanceof Unreadable)) return record
  }
  return undefined
}

/** Rejects with `Unreadable` where that record is not the original. */
async function openOriginalAt(
  files: OpenFiles,
  { place, expected, signal }: { place: Place; expected: OriginalExpected; signal: AbortSignal },
): Promise<ArchivedRecord> {
  if (!files.archived(place.filename))
    throw new Unreadable(message('viewer.duplicate.noFile', { file: place.filename }))
  const record = await openReadable(files, place, signal)
  const problem = originalContradiction(record.item, expected)
  if (problem === undefined) return record
  await closeContent(record.body)
  throw new Unreadable(message('viewer.record.notOriginal', { place: recordPlace(place), problem }))
}

/** Captures of a URL in jobs that are not viewed, with this payload and a record of their own. */
export async function othersWithPayload(
  { otherCaptures }: Pick<Looking, 'otherCaptures'>,
  { url, payloadDigest }: { url: string; payloadDigest: string },
): Promise<Place[]> {
  if (payloadDigest === '' || otherCaptures === undefined) return []
  const { captures } = await otherCaptures(url)
  return captures
    .filter((capture) => hasPayload(capture, payloadDigest))
    .map((each) => ({ ...each, length: each.length ?? 0 }))
}

/** Whether a capture has a record with this payload. */
export function hasPayload(capture: Located, payloadDigest: string): boolean {
  const { recordType } = capture
  return capture.payloadDigest === payloadDigest && (recordType === 'response' || recordType === 'resource')
}
