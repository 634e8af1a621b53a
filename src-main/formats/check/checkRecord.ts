/** Checks one record, WARC or ARC, completely: the header, the block, what the reader found, and its relation to the
 *  previous records. */
import type { Truncation } from '../../contract/states/outcomes.ts'
import type { Finding } from '../rules/finding.ts'
import type { ArchiveRecord } from '../records/record.ts'
import { truncationOf } from '../records/truncation.ts'
import { checkArcLine, checkResultCode, checkVersionBlock } from './checkArc.ts'
import { checkBlock, type BlockCheck } from './checkBlock.ts'
import { checkHeader } from './checkHeader.ts'
import type { CheckedDigest } from '../records/blockDigests.ts'
import type { FileMemory } from './fileMemory.ts'

/** A record with all of its findings. */
export interface CheckedRecord {
  number: number
  offset: number
  /** Length in the file in bytes; 0 for a record that shares its member with the next one. */
  length: number
  type: string
  url: string | undefined
  date: string
  whole: boolean
  /** Why the content is incomplete, as the record states or as its body shows. */
  truncation: Truncation | undefined
  digests: CheckedDigest[]
  /** Findings with the offset and the number of the record. */
  findings: Finding[]
}

/** What a record is compared with. */
export interface RecordContext {
  /** Time of the check: dates after it are in the future. */
  nowMs: number
  /** Memory of the file; set when all its records are checked in order. */
  memory?: FileMemory
}

/** Reads the record to its end and checks it. */
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

/** Adds the offset and the number of the record. The reader's own offset is kept, because it is more exact within a
 *  compressed record. */
function placed(found: Finding, { offset, number }: ArchiveRecord): Finding {
  return { ...found, offset: found.offset ?? offset, record: number }
}
