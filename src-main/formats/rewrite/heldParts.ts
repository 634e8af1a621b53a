/** Splits a file into records, each read completely before it is yielded, and gaps that belong to no record. A
 *  record is yielded when the following one is known, because only then another record that begins inside it can be
 *  located. */
import type { ByteSource } from '../bytes/fileWindow.ts'
import type { Finding } from '../rules/finding.ts'
import type { ArchiveRecord, FinishedRecord } from '../records/record.ts'
import { readRecords } from '../records/readRecords.ts'
import { holdBlock, type HeldBlock, type Spool } from './heldBlock.ts'

/** A record that was read completely. */
export interface HeldRecord {
  kind: 'record'
  record: ArchiveRecord
  /** Header as in the file. */
  header: Uint8Array
  block: HeldBlock
  finished: FinishedRecord
  /** Offset of the next record; undefined at the end of the file. */
  nextAt: number | undefined
  /** Bytes of the block before the next record when that begins inside it; otherwise undefined. */
  blockBytesBefore: number | undefined
}

/** Bytes between records that belong to none. */
export interface Gap {
  kind: 'gap'
  from: number
  /** Offset of the next record; undefined at the end of the file. */
  to: number | undefined
  finding: Finding
}

/** A part of a file, in the order of the file: a record or a gap between records. */
export type HeldPart = HeldRecord | Gap

/** Yields records and gaps in order. The spool holds the block of the last one yielded, so each must be processed
 *  before the next is requested. */
export async function* heldParts(source: ByteSource, spool: Spool): AsyncGenerator<HeldPart> {
  let between: Finding[] = []
  let held: HeldRecord | undefined
  for await (const record of readRecords(source, { onFinding: (finding) => between.push(finding) })) {
    if (held) yield followed(held, record)
    yield* gaps(between, record.offset)
    between = []
    held = await holdRecord(record, spool)
  }
  if (held) yield held
  yield* gaps(between, undefined)
}

/** Yields a gap for each finding between two records: from its offset to that of the next finding, the last one to
 *  `to`. */
function* gaps(between: readonly Finding[], to: number | undefined): Generator<Gap> {
  for (const [index, finding] of between.entries())
    yield { kind: 'gap', from: finding.offset ?? 0, to: between[index + 1]?.offset ?? to, finding }
}

/** Reads a record to its end. The header is copied, because the reader reuses its buffer. */
async function holdRecord(record: ArchiveRecord, spool: Spool): Promise<HeldRecord> {
  const header = Uint8Array.from(record.header)
  const block = await holdBlock(record.block(), spool)
  const finished = await record.finish()
  return { kind: 'record', record, header, block, finished, nextAt: undefined, blockBytesBefore: undefined }
}

/** Completes a record with what only the next one shows: where that begins, and whether it begins inside of this
 *  block. */
function followed(held: HeldRecord, next: ArchiveRecord): HeldRecord {
  const isInside = held.finished.findings.some(({ rule }) => rule === 'recordInside')
  const blockBytesBefore = isInside ? placeIn(held.block.beginning, next.header) : undefined
  return { ...held, nextAt: next.offset, blockBytesBefore }
}

/** Number of bytes of a header that are searched for in a block: more than a version line, or the beginning of a
 *  URL. */
const soughtBytes = 20

/** Returns the position of a header in a block, which may end within it. The offset in the file is of no use in a
 *  compressed file. */
function placeIn(block: Uint8Array, header: Uint8Array): number | undefined {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length)
  const sought = header.subarray(0, soughtBytes)
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + 1)) {
    const overlap = bytes.subarray(at, at + header.length)
    if (overlap.equals(header.subarray(0, overlap.length))) return at
  }
  return undefined
}
