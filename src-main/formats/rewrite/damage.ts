/** Detects damage that the file itself reveals, so that it is not passed on as intact content. Digests are handled
 *  in salvage.ts, because old writers stored wrong ones for intact blocks. */
import type { RuleName } from '../rules/rules.ts'
import type { Account } from './account.ts'
import type { HeldBlock } from './heldBlock.ts'
import type { Gap, HeldRecord } from './heldParts.ts'
import { message } from '../../contract/words/message.ts'
import type { HeaderFault } from './writableHeader.ts'

/** Records a gap. Notes, such as extra line ends, are not losses. */
export function leaveGap({ from, to, finding }: Gap, account: Account): void {
  account.found([finding])
  if (finding.severity === 'error')
    account.leave({ from, to: to ?? null, rule: finding.rule, message: finding.message })
}

/** Records bytes after a record that belong to none. The reader reports them for that record, whose length may be
 *  wrong. */
export function leaveStray({ record, finished, nextAt }: HeldRecord, account: Account): void {
  const stray = finished.findings.find(({ rule }) => rule === 'bytesAfterRecord')
  if (!stray) return
  account.leave({
    from: record.offset + finished.length,
    to: nextAt ?? null,
    rule: stray.rule,
    message: stray.message,
  })
}

/** Returns the offset of the first byte after a record; null when more records follow in the same member. */
export function recordEndAt({ record, finished }: Pick<HeldRecord, 'record' | 'finished'>): number | null {
  return finished.length > 0 ? record.offset + finished.length : null
}

/** Rules by which the bytes of a record differ from those that were written. A new member would have a valid
 *  checksum and hide this. */
const damaging: ReadonlySet<RuleName> = new Set([
  'recordTorn',
  'recordInside',
  'lengthInvalid',
  'arcLengthInvalid',
  'memberChecksum',
  'memberDamaged',
] satisfies RuleName[])

/** Returns the damage of a record; undefined when the file reveals none. */
export function damageOf({ record, block, finished }: HeldRecord): HeaderFault | undefined {
  const found = finished.findings.find(({ rule }) => damaging.has(rule))
  if (found) return { rule: found.rule, message: found.message }
  if (block.bytes === record.blockBytes) return undefined
  const lengths = { bytes: block.bytes, stated: record.blockBytes }
  return { rule: 'recordTorn', message: message('rewrite.block.short', lengths) }
}

/** Returns the part of the block that belongs to the record: it ends where another record begins inside it. */
export function ownBlock({ block, blockBytesBefore }: HeldRecord): HeldBlock {
  return blockBytesBefore === undefined ? block : block.cut(withoutRecordEnd(block, blockBytesBefore))
}

const CR = 13
const LF = 10

/** Excludes the line ends before the next record, which end this record rather than its block. */
function withoutRecordEnd({ beginning }: HeldBlock, bytes: number): number {
  let end = bytes
  if (end > beginning.length) return end
  while (end > 0 && bytes - end < 4 && (beginning[end - 1] === CR || beginning[end - 1] === LF)) end--
  return end
}
