/** Opens the original of a revisit (WARC 1.1, 6.7): the first of the best matching captures whose record can be read. */
import { message, type Message } from '../../contract/words/message.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { recordField } from '../../formats/records/record.ts'
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
import { openRecord, recordPlace } from '../records/archivedRecord.ts'
import type { ArchivedRecord, RecordHeader, RecordPlace } from '../records/openedRecord.ts'
import { readAhead } from '../model/content.ts'
import { originalsMax, wholeBodyBytesMax } from '../model/limits.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import type { Tried } from '../viewings/question.ts'
import type { BrowserRequest } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'

/** Where originals are looked for. */
interface Looking {
  files: OpenFiles
  index: Pick<CaptureIndex, 'originals'>
  request: Pick<BrowserRequest, 'signal'>
  /** If set, receives every capture that was tried, for an explanation. */
  hops?: Tried[] | undefined
}

/** Opens the original. Rejects with `Unreadable` if there is none, or none can be read. */
export async function openOriginal(
  { files, index, request, hops }: Looking,
  item: RecordHeader,
  revisit: IndexedCapture,
): Promise<ArchivedRecord> {
  const atMs = parseTimestamp(recordField(item, 'warc-refers-to-date') ?? '')
  const url = recordField(item, 'warc-refers-to-target-uri') ?? revisit.url
  const { found, named } = index.originals({ url, atMs, payloadDigest: revisit.payloadDigest }, originalsMax)
  const place = recordPlace(revisit)
  let unreadable: Unreadable | undefined
  for (const [at, capture] of found.entries()) {
    try {
      const record = await openReadable(files, capture, request.signal)
      hops?.push({ capture, isUsed: true, why: null }, ...found.slice(at + 1).map(notNeeded))
      return record
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      hops?.push({ capture, isUsed: false, why: error.userMessage })
      unreadable ??= error
    }
  }
  if (unreadable) throw new Unreadable(message('viewer.revisit.unreadable', { place, problem: unreadable.userMessage }))
  const target =
    atMs === undefined ? url : message('viewer.revisit.target', { url, time: new Date(atMs).toISOString() })
  throw new Unreadable(message('viewer.revisit.absent', { place, target, problem: lost[named] }))
}

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

function notNeeded(capture: IndexedCapture): Tried {
  return { capture, isUsed: false, why: null }
}

/** Why the index has no original, by what it has under the URL and time that the revisit names. */
const lost: Record<ReturnType<CaptureIndex['originals']>['named'], Message> = {
  original: message('viewer.revisit.several'),
  otherPayload: message('viewer.revisit.otherContent'),
  revisit: message('viewer.revisit.onlyRevisits'),
  otherMoment: message('viewer.revisit.otherTimes'),
  nothing: message('viewer.revisit.noCapture'),
  noMoment: message('viewer.revisit.noTime'),
}
