/** Opens the original of a revisit (WARC 1.1, 6.7): the first of the best matching captures whose record can be read. */
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { recordField, type ArchiveRecord } from '../../formats/records/record.ts'
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
import { openRecord, type ArchivedRecord, type RecordPlace } from '../records/archivedRecord.ts'
import { readAhead } from '../model/content.ts'
import { originalsMax, wholeBodyBytesMax } from '../model/limits.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import type { Tried } from '../viewings/question.ts'
import type { BrowserRequest } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'

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
  item: ArchiveRecord,
  revisit: IndexedCapture,
): Promise<ArchivedRecord> {
  const atMs = parseTimestamp(recordField(item, 'warc-refers-to-date') ?? '')
  const url = recordField(item, 'warc-refers-to-target-uri') ?? revisit.url
  const { found, named } = index.originals({ url, atMs, payloadDigest: revisit.payloadDigest }, originalsMax)
  const where = `${revisit.filename} at ${revisit.offset}`
  let unreadable: Unreadable | undefined
  for (const [place, capture] of found.entries()) {
    try {
      const record = await openReadable(files, capture, request.signal)
      hops?.push({ capture, isUsed: true, why: null }, ...found.slice(place + 1).map(notNeeded))
      return record
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      hops?.push({ capture, isUsed: false, why: error.message })
      unreadable ??= error
    }
  }
  if (unreadable) throw new Unreadable(`the original of the revisit in ${where} cannot be read: ${unreadable.message}`)
  const target = atMs === undefined ? url : `${url} of ${new Date(atMs).toISOString()}`
  throw new Unreadable(
    `the original of the revisit in ${where} is not in the viewed files: expected ${target}, but ${lostText[named]}`,
  )
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
const lostText: Record<ReturnType<CaptureIndex['originals']>['named'], string> = {
  original: 'several captures match',
  otherPayload: 'the capture of that time has other content',
  revisit: 'only revisits and duplicates were captured at that time',
  otherMoment: 'that URL was captured only at other times',
  nothing: 'that URL has no capture',
  unsaid: 'the revisit does not name a time',
}
