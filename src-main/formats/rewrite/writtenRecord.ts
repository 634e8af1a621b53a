/** Writes a new WARC 1.1 record with a held block, as a gzip member. */
import { newRecord, recordBytes, recordStreamed, type RecordHeader } from '../records/warcWriter.ts'
import type { Account } from './account.ts'
import { heldBytesMax, memoryBlock, type HeldBlock } from './heldBlock.ts'
import { levelOfBlock, member } from './recordMember.ts'

/** Yields the gzip member of a new record, and counts the record in `account`. */
export async function* writtenRecord(
  record: RecordHeader,
  block: HeldBlock | Uint8Array,
  account: Account,
): AsyncGenerator<Uint8Array> {
  const held = block instanceof Uint8Array ? memoryBlock(block) : block
  const how = { bytes: held.bytes, level: levelOfBlock(held, record.contentType), account }
  if (held.bytes <= heldBytesMax) yield* member(recordBytes(newRecord({ ...record, block: [held.beginning] })), how)
  else {
    const streamed = await recordStreamed({ ...record, blockBytes: held.bytes, block: () => held.chunks() })
    yield* member(streamed.chunks, how)
  }
}
