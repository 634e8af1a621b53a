/** What a revisit stands for (WARC 1.1, 6.7): the captures in which its content is looked for, best first, and the first of them
 *  that can be read. */
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
  /** Where somebody asks why: gets each of them, with what became of it. */
  hops?: Tried[] | undefined
}

/** Rejects with `Unreadable` when there is none, or none can be read. */
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
    `the original of the revisit in ${where} is not in these files: it should be ${target}, and ${lostText[named]}`,
  )
}

/** Damage shows only behind the body: as far as it is read whole, another original can still take its place. */
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

/** Of what the index has there when it has no original. */
const lostText: Record<ReturnType<CaptureIndex['originals']>['named'], string> = {
  original: 'it cannot be told from others',
  otherPayload: 'what was captured then is something else',
  revisit: 'of then they have nothing but revisits and duplicates',
  otherMoment: 'they have that address only of other times',
  nothing: 'they have no capture of that address',
  unsaid: 'the revisit does not say of when',
}
