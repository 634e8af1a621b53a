/** What a revisit stands for (WARC 1.1, 6.7): the captures in which its content is looked for, best first. */
import { parseTimestamp } from '../formats/cdx/timestamp.ts'
import { recordField, type ArchiveRecord } from '../formats/records/record.ts'
import type { CaptureIndex, IndexedCapture } from '../indexes/indexes.ts'
import { originalsMax } from './limits.ts'

export function originalsOf(
  index: CaptureIndex,
  item: ArchiveRecord,
  revisit: IndexedCapture,
): ReturnType<CaptureIndex['originals']> {
  const atMs = parseTimestamp(recordField(item, 'warc-refers-to-date') ?? '')
  const url = recordField(item, 'warc-refers-to-target-uri') ?? revisit.url
  return index.originals({ url, atMs, payloadDigest: revisit.payloadDigest }, originalsMax)
}
