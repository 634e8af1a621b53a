/**
 * One row of a record list: fields of the record and of the head of its HTTP message. Digests are not compared here, and of the block only
 * the head is examined.
 */
import type { RecordRow } from '../../contract/services/records.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { responseSummary, type HeadSummary } from '../../formats/cdx/headSummary.ts'
import { headBytesMax, isHttpRecord } from '../../formats/records/blockDigests.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'

/** A row, and the findings of its record. */
export interface ListedRecord {
  row: RecordRow
  findings: Finding[]
}

/** Reads the record to its end. */
export async function listedRecord(record: ArchiveRecord): Promise<ListedRecord> {
  const summary = isAnswer(record) ? await headSummaryOf(record) : undefined
  const { length, findings } = await record.finish()
  const { number, offset, addressable, type, date, url } = record
  const mediaType = mediaTypeOf(summary ? summary.contentType : record.contentType)
  const row: RecordRow = {
    number,
    offset,
    length,
    addressable,
    type,
    date: date === '' ? null : date,
    status: summary?.status ?? null,
    mediaType,
    url: url ?? null,
    findings: findings.length,
  }
  return { row, findings }
}

/** Returns the media type without parameters; null when there is none. */
export function mediaTypeOf(contentType: string | undefined): string | null {
  return (
    contentType
      ?.trim()
      .split(/[;\s,]/, 1)[0]
      ?.toLowerCase() || null
  )
}

/** Whether the block may begin with a response's head. */
function isAnswer(record: ArchiveRecord): boolean {
  return isHttpRecord(record) && record.type !== 'request'
}

/** Reads the block as far as its head. */
async function headSummaryOf(record: ArchiveRecord): Promise<HeadSummary | undefined> {
  let held: Uint8Array = new Uint8Array(0)
  for await (const bytes of record.block()) {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    const summary = responseSummary(held, held.length < headBytesMax)
    if (summary !== 'more') return summary
  }
  const summary = responseSummary(held, false)
  return summary === 'more' ? undefined : summary
}
