/** Opens the original of a revisit (WARC 1.1, 6.7): the first of the best matching captures whose record can be read. It may be in a job
 *  that is not viewed: at the place that the revisit names, or in any job with a capture of the same URL and payload. */
import { message, type Message } from '../../contract/words/message.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { recordField } from '../../formats/records/record.ts'
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
import { recordPlace } from '../records/archivedRecord.ts'
import type { ArchivedRecord, RecordHeader } from '../records/openedRecord.ts'
import { originalsMax } from '../model/limits.ts'
import {
  firstOriginalAt,
  openReadable,
  othersWithPayload,
  tryOriginalAt,
  type Looking,
  type Place,
} from './originalRecords.ts'
import type { Tried } from '../viewings/question.ts'
import { Unreadable } from '../model/unreadable.ts'

/** Opens the original. Rejects with `Unreadable` if there is none, or none can be read. */
export async function openOriginal(
  looking: Looking,
  item: RecordHeader,
  revisit: IndexedCapture,
): Promise<ArchivedRecord> {
  const { files, index, request, hops } = looking
  const wanted = originalNamedIn(item, revisit)
  const { found, named } = index.originals(wanted, originalsMax)
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
  const elsewhere = await openElsewhere(looking, item, { ...revisit, ...wanted })
  if (elsewhere) return elsewhere
  const place = recordPlace(revisit)
  if (unreadable) throw new Unreadable(message('viewer.revisit.unreadable', { place, problem: unreadable.userMessage }))
  const { url, atMs } = wanted
  const target =
    atMs === undefined ? url : message('viewer.revisit.target', { url, time: new Date(atMs).toISOString() })
  throw new Unreadable(message('viewer.revisit.absent', { place, target, problem: lost[named] }))
}

/** URL, time and payload of the original, as the revisit states them. */
function originalNamedIn(item: RecordHeader, { url, payloadDigest }: IndexedCapture) {
  return {
    url: recordField(item, 'warc-refers-to-target-uri') ?? url,
    atMs: parseTimestamp(recordField(item, 'warc-refers-to-date') ?? ''),
    payloadDigest,
  }
}

/** Opens the original in a job that is not viewed; undefined if there is none. */
async function openElsewhere(
  looking: Looking,
  item: RecordHeader,
  revisit: IndexedCapture & ReturnType<typeof originalNamedIn>,
): Promise<ArchivedRecord | undefined> {
  const { payloadDigest, atMs } = revisit
  const named = placeNamedIn(looking, item, revisit)
  const first = named && (await tryOriginalAt(looking, named, { payloadDigest, atMs }))
  if (first && !(first instanceof Unreadable)) return first
  return firstOriginalAt(looking, await othersWithPayload(looking, revisit), payloadDigest)
}

/** The place that the revisit names in the fields of Heritrix 3, if the archive has the file. */
function placeNamedIn(
  { files }: Looking,
  item: RecordHeader,
  revisit: IndexedCapture & ReturnType<typeof originalNamedIn>,
): Place | undefined {
  const filename = recordField(item, 'warc-refers-to-filename')?.trim()
  const offset = recordField(item, 'warc-refers-to-file-offset')?.trim() ?? ''
  const archived = filename === undefined ? undefined : files.archived(filename)
  if (filename === undefined || archived === undefined || !/^\d{1,15}$/.test(offset)) return undefined
  const { url, atMs = revisit.timestampMs } = revisit
  return {
    ...revisit,
    url,
    timestampMs: atMs,
    filename,
    offset: Number(offset),
    length: 0,
    job: archived.job,
    recordType: 'response',
  }
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
