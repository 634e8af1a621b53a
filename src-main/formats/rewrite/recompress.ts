/** Recompresses an archive file: the same records in the same order, each in its own gzip member, so that an index
 *  can point at it. Headers and blocks are unchanged byte by byte; WARC stays WARC and ARC stays ARC. Damaged
 *  records are left out and reported; `salvage.ts` recovers what is readable. */
import type { ByteSource } from '../bytes/fileWindow.ts'
import type { Account } from './account.ts'
import { damageOf, leaveGap, leaveStray, recordEndAt } from './damage.ts'
import { heldParts, type HeldRecord } from './heldParts.ts'
import type { Spool } from './heldBlock.ts'
import { levelOfBlock, recordEnd, recordMember } from './recordMember.ts'

/** Yields the recompressed file. What was left out is recorded in `account`. */
export async function* recompress(
  source: ByteSource,
  { spool, account }: { spool: Spool; account: Account },
): AsyncGenerator<Uint8Array> {
  for await (const part of heldParts(source, spool)) {
    if (part.kind === 'gap') leaveGap(part, account)
    else yield* packed(part, account)
  }
}

/** Yields a record as a gzip member, header and block unchanged; a damaged one is left out and reported. */
async function* packed(held: HeldRecord, account: Account): AsyncGenerator<Uint8Array> {
  const { record, header, block, finished } = held
  account.position = record.offset
  account.found(finished.findings)
  const reason = damageOf(held)
  if (reason) {
    account.leave({ from: record.offset, to: recordEndAt(held), ...reason })
    return
  }
  leaveStray(held, account)
  yield* recordMember(
    { header, block, end: recordEnd[record.format] },
    levelOfBlock(block, record.contentType),
    account,
  )
}
