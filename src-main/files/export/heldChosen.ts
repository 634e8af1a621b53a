/**
 * Reading of the chosen records of one file. Each is read whole before it is yielded, so that no part of a damaged one is written. Blocks
 * that were not chosen are skipped.
 */
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { holdBlock, type Spool } from '../../formats/rewrite/heldBlock.ts'
import type { HeldRecord } from '../../formats/rewrite/heldParts.ts'

/** Parameters of `heldChosen`. */
export interface Choosing {
  chooses: (record: ArchiveRecord) => boolean
  /** Holds the block of the last yielded record, which must be consumed before the next is requested. */
  spool: Spool
  /** Reports damage between records. */
  onGap: (finding: Finding) => void
}

/** Yields the chosen records in the order of the file. */
export async function* heldChosen(source: ByteSource, { chooses, spool, onGap }: Choosing): AsyncGenerator<HeldRecord> {
  for await (const record of readRecords(source, { onFinding: onGap })) {
    if (chooses(record)) yield await heldRecord(record, { spool, onGap })
  }
}

/** Reads a record to its end: its header in memory, its block in memory or in the spool. */
export async function heldRecord(
  record: ArchiveRecord,
  { spool, onGap }: Pick<Choosing, 'spool' | 'onGap'>,
): Promise<HeldRecord> {
  const header = Uint8Array.from(record.header)
  const block = await holdBlock(record.block(), spool)
  const finished = await record.finish()
  const stray = finished.findings.find(({ rule }) => rule === 'bytesAfterRecord')
  if (stray) onGap({ ...stray, offset: record.offset + finished.length })
  // A record in which damage begins counts as damaged; how much of its block precedes the damage is not needed.
  return { kind: 'record', record, header, block, finished, nextAt: undefined, blockBytesBefore: undefined }
}
