/** Reads the record at a place that an index names as a possible original. */
import type { Archive } from '../../../archive/store/archive.ts'
import { namedDigest } from '../../../formats/cdx/indexDigest.ts'
import { parseTimestamp } from '../../../formats/cdx/timestamp.ts'
import { parseResponseHead } from '../../../formats/http/http.ts'
import { readRecordAt } from '../../../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../../../formats/records/record.ts'
import type { CapturePlace, KnownCapture } from '../../model/document.ts'
import { headBytesMax } from '../../model/limits.ts'
import { contentTypeOf } from '../fetch/outlinks.ts'
import { validatorsOf } from '../fetch/version.ts'

/** Bytes that are read at first: enough for the header of a record and of an answer, packed or not. */
const readBytesAtFirst = 16 * 1024

/** A capture that revisits may refer to. Its original has a URL. */
export interface OriginalFound {
  known: KnownCapture
  /** Of the answer, without parameters. */
  mediaType: string
}

/** Returns the capture at this place; undefined if no copy of the file yields a complete response with a payload digest there. Rejects with
 *  `DiskFault`. */
export async function originalAt(
  archive: Pick<Archive, 'openFile'>,
  place: CapturePlace,
): Promise<OriginalFound | undefined> {
  const opened = await archive.openFile(place.fileName)
  if (opened === undefined) return undefined
  try {
    const record = await readRecordAt(opened.file, place.offset, readBytesAtFirst)
    if (record?.type !== 'response' || record.url === undefined) return undefined
    const digest = recordField(record, 'WARC-Payload-Digest')
    if (digest === undefined || recordField(record, 'WARC-Truncated') !== undefined) return undefined
    const payloadDigest = namedDigest(digest)
    if (payloadDigest === undefined) return undefined
    return await foundIn(record, { place, payloadDigest, namedDigest: digest })
  } finally {
    await opened.file.close()
  }
}

interface Named {
  place: CapturePlace
  payloadDigest: string
  namedDigest: string
}

async function foundIn(record: ArchiveRecord, { place, ...digests }: Named): Promise<OriginalFound | undefined> {
  const ms = parseTimestamp(record.date)
  const head = parseResponseHead(await beginning(record))?.head
  if (ms === undefined || head?.status !== 200) return undefined
  const id = /^<urn:uuid:([^>]+)>$/.exec(recordField(record, 'WARC-Record-ID')?.trim() ?? '')?.[1] ?? ''
  const original = { id, ms, status: 200, url: record.url ?? '', ...digests }
  return { known: { original, place, ...validatorsOf(head) }, mediaType: contentTypeOf(head).mediaType }
}

async function beginning(record: ArchiveRecord): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of record.block()) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= headBytesMax || Buffer.concat(chunks).includes('\r\n\r\n')) break
  }
  return Buffer.concat(chunks)
}
