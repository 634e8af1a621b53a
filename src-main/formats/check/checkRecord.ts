/** One record, WARC or ARC, with all that is found in it: the header, the block, what the reader met, and what it says of
 *  the records before it. */
import type { Truncation } from '../../contract/states/outcomes.ts'
import type { Finding } from '../rules/finding.ts'
import type { ArchiveRecord } from '../records/record.ts'
import { truncationOf } from '../records/truncation.ts'
import { checkArcLine, checkResultCode, checkVersionBlock } from './checkArc.ts'
import { checkBlock, type BlockCheck } from './checkBlock.ts'
import { checkHeader } from './checkHeader.ts'
import type { CheckedDigest } from '../records/blockDigests.ts'
import type { FileMemory } from './fileMemory.ts'

export interface CheckedRecord {
  number: number
  offset: number
  /** Bytes in the file; 0 for a record that shares its gzip member with the next. */
  length: number
  type: string
  url: string | undefined
  date: string
  whole: boolean
  /** Why its content is not whole, as it says itself or as its body shows. */
  truncation: Truncation | undefined
  digests: CheckedDigest[]
  /** With the offset and the number of the record. */
  findings: Finding[]
}

export interface RecordContext {
  /** The moment of the check: dates after it are of the future. */
  nowMs: number
  /** Of the file, where all its records are checked in their order. */
  memory?: FileMemory
}

/** Reads the record to its end. */
export async function checkRecord(record: ArchiveRecord, { nowMs, memory }: RecordContext): Promise<CheckedRecord> {
  const header = record.format === 'warc' ? checkHeader(record, nowMs) : checkArcLine(record, record.number === 1)
  const others = record.format === 'warc' ? (memory?.check(record) ?? []) : []
  const block = await checkBlock(record)
  const arc = record.format === 'arc' ? arcFindings(record, block) : []
  const { length, whole, findings } = await record.finish()
  return {
    number: record.number,
    offset: record.offset,
    length,
    type: record.type,
    url: record.url,
    date: record.date,
    whole,
    truncation: truncationOf(record, block.findings),
    digests: block.digests.digests,
    findings: [...findings, ...header, ...others, ...block.findings, ...arc].map((found) => placed(found, record)),
  }
}

function arcFindings(record: ArchiveRecord, { beginning, status }: BlockCheck): Finding[] {
  return record.type === 'filedesc' ? checkVersionBlock(beginning) : checkResultCode(record, status)
}

/** The reader knows better where damage lies within a packed record. */
function placed(found: Finding, { offset, number }: ArchiveRecord): Finding {
  return { ...found, offset: found.offset ?? offset, record: number }
}
