/** The chosen records of one file, each held whole before it is given, so that nothing of a damaged one is written. Blocks
 *  that were not chosen are skipped. */
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { holdBlock, type Spool } from '../../formats/rewrite/heldBlock.ts'
import type { HeldRecord } from '../../formats/rewrite/heldStretches.ts'

export interface Choosing {
  chooses: (record: ArchiveRecord) => boolean
  /** It holds the block of the record that was given last, which must be done with before the next is asked for. */
  spool: Spool
  /** Damage between records, whichever record the bytes belonged to. */
  onGap: (finding: Finding) => void
}

export async function* heldChosen(source: ByteSource, { chooses, spool, onGap }: Choosing): AsyncGenerator<HeldRecord> {
  for await (const record of readRecords(source, { onFinding: onGap })) {
    if (chooses(record)) yield await heldRecord(record, { spool, onGap })
  }
}

export async function heldRecord(
  record: ArchiveRecord,
  { spool, onGap }: Pick<Choosing, 'spool' | 'onGap'>,
): Promise<HeldRecord> {
  const header = Uint8Array.from(record.header)
  const block = await holdBlock(record.block(), spool)
  const finished = await record.finish()
  const stray = finished.findings.find(({ rule }) => rule === 'bytesAfterRecord')
  if (stray) onGap({ ...stray, offset: record.offset + finished.length })
  // What begins inside a record makes it a damaged one; how much of its block comes before that is not asked.
  return { kind: 'record', record, header, block, finished, nextAt: undefined, blockBytesBefore: undefined }
}
