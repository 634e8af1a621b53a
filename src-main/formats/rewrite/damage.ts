/** What is damaged in a stretch of a file, as far as the file itself can say: what must not be passed on as if it were sound.
 *  Digests are another matter (salvage.ts): old writers noted wrong ones for blocks that are as they should be. */
import type { RuleName } from '../rules/rules.ts'
import type { Account } from './account.ts'
import type { HeldBlock } from './heldBlock.ts'
import type { Gap, HeldRecord } from './heldStretches.ts'

/** Notes, such as line ends too many, lose nothing. */
export function leaveGap({ from, to, finding }: Gap, account: Account): void {
  account.found([finding])
  if (finding.severity === 'error') account.leave({ from, to: to ?? null, rule: finding.rule, text: finding.text })
}

/** Bytes after a record that belong to none: the reader says them of the record, whose length may be wrong. */
export function leaveStray({ record, finished, nextAt }: HeldRecord, account: Account): void {
  const stray = finished.findings.find(({ rule }) => rule === 'bytesAfterRecord')
  if (!stray) return
  account.leave({ from: record.offset + finished.length, to: nextAt ?? null, rule: stray.rule, text: stray.text })
}

/** The first byte after a record in its file; null where its packing goes on with another. */
export function recordEndAt({ record, finished }: Pick<HeldRecord, 'record' | 'finished'>): number | null {
  return finished.length > 0 ? record.offset + finished.length : null
}

/** Rules that say of a record that its bytes are not those that were written. A new member around them would have a good
 *  checksum and hide that. */
const damaging: ReadonlySet<RuleName> = new Set([
  'recordTorn',
  'recordInside',
  'lengthInvalid',
  'arcLengthInvalid',
  'memberChecksum',
  'memberDamaged',
] satisfies RuleName[])

/** Undefined when the record is as it was written, as far as the file can say. */
export function damageOf({ record, block, finished }: HeldRecord): { rule: RuleName; text: string } | undefined {
  const found = finished.findings.find(({ rule }) => damaging.has(rule))
  if (found) return { rule: found.rule, text: found.text }
  if (block.bytes !== record.blockBytes)
    return { rule: 'recordTorn', text: `The record has ${block.bytes} of the ${record.blockBytes} bytes it states.` }
  return undefined
}

/** The block as far as it is the record's own: where another record begins inside it, it ends there. */
export function ownBlock({ block, blockBytesBefore }: HeldRecord): HeldBlock {
  return blockBytesBefore === undefined ? block : block.cut(withoutRecordEnd(block, blockBytesBefore))
}

const CR = 13
const LF = 10

/** The line ends before the next record are the end of this one and not of its block. */
function withoutRecordEnd({ beginning }: HeldBlock, bytes: number): number {
  let end = bytes
  if (end > beginning.length) return end
  while (end > 0 && bytes - end < 4 && (beginning[end - 1] === CR || beginning[end - 1] === LF)) end--
  return end
}
