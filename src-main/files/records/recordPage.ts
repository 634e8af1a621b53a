/** Part of the record list of one file: a number of rows from a position on. */
import type { FileFinding } from '../../contract/services/fileFindings.ts'
import type { RecordRow } from '../../contract/services/records.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { findingOf } from '../check/finding.ts'
import { pageFindingsMax, pageRecordsMax } from '../disk/limits.ts'
import { listedRecord } from './recordRow.ts'

/** A position at which reading may begin: at `offset`, after `before` records. */
export interface RecordPosition {
  offset: number
  before: number
}

/** The page that is wanted. */
export interface PageWanted {
  /** Name of the file in findings. */
  file: string
  from: RecordPosition
  /** Records up to this number are skipped. */
  after: number
  limit: number
  type: string | undefined
}

/** A page of a record list. */
export interface RecordPage {
  rows: RecordRow[]
  /** Null at the end of the file. */
  next: number | null
  /** Position for reading the page that begins after `next`. */
  position: RecordPosition
  findings: FileFinding[]
}

/** Reads a page. Stops after `recordsMax` examined records, also when fewer than `limit` rows were found; `next`
 *  then continues. */
export async function recordPage(
  source: ByteSource,
  wanted: PageWanted,
  recordsMax = pageRecordsMax,
): Promise<RecordPage> {
  const { from, after, limit, type } = wanted
  const page: RecordPage = { rows: [], next: null, position: from, findings: [] }
  const emit = (finding: Finding) => {
    if (page.findings.length < pageFindingsMax) page.findings.push(findingOf(finding, wanted.file))
  }
  let looked = 0
  const onFinding = ({ record, ...found }: Finding) =>
    emit(record === undefined ? found : { ...found, record: from.before + record })
  for await (const record of readRecords(source, { from: from.offset, onFinding })) {
    const number = from.before + record.number
    // The records of one gzip member are read from its beginning.
    if (record.addressable) page.position = { offset: record.offset, before: number - 1 }
    if (number <= after) continue
    if (page.rows.length === limit || looked === recordsMax) {
      page.next = number - 1
      return page
    }
    looked += 1
    if (type !== undefined && record.type !== type) continue
    const { row, findings } = await listedRecord(record)
    page.rows.push({ ...row, number })
    for (const found of findings) emit({ offset: record.offset, ...found, record: number })
  }
  return page
}
