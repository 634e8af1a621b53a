/** Writes each record as one gzip member (WARC 1.1, annex D.2; for ARC this has been the practice since 1996). */
import { fieldOf, parseResponseHead } from '../http/http.ts'
import { gzipMember, levelFor } from '../packing/gzip.ts'
import { gzipStreamed, recordEnd as warcRecordEnd } from '../records/warcWriter.ts'
import type { Account } from './account.ts'
import type { HeldBlock } from './heldBlock.ts'
import { heldBytesMax } from './heldBlock.ts'

/** Bytes after a block. Arc File Format 1.0: a line feed. */
export const recordEnd = { warc: warcRecordEnd, arc: Buffer.from('\n') } as const

/** The three parts of a record; `end` are the bytes that the format requires after the block. */
export interface RecordToWrite {
  header: Uint8Array
  block: HeldBlock
  end: Uint8Array
}

/** Yields one record as a gzip member, and counts it in `account`. */
export async function* recordMember(
  { header, block, end }: RecordToWrite,
  level: number,
  account: Account,
): AsyncGenerator<Uint8Array> {
  yield* member(whole(header, block, end), { bytes: block.bytes, level, account })
}

async function* whole(header: Uint8Array, block: HeldBlock, end: Uint8Array): AsyncGenerator<Uint8Array> {
  yield header
  yield* block.chunks()
  yield end
}

/** Compresses a record. `bytes` is its approximate size: small records are compressed at once, large ones as a
 *  stream. */
export async function* member(
  record: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { bytes, level, account }: { bytes: number; level: number; account: Account },
): AsyncGenerator<Uint8Array> {
  const counted = account.counted(record)
  if (bytes > heldBytesMax) yield* gzipStreamed(counted, level)
  else yield gzipMember(await collected(counted), level)
}

async function collected(source: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return parts
}

/** Maximum number of bytes that are searched for the HTTP head. */
const headBytesMax = 64 * 1024

/** Returns the compression level for a block: a low one for images and other content that does not shrink. */
export function levelOfBlock(block: HeldBlock, contentType: string | undefined): number {
  const beginning = block.beginning.subarray(0, headBytesMax)
  const http = /^\s*application\/http/i.test(contentType ?? '') ? parseResponseHead(beginning) : undefined
  if (!http) return levelFor(contentType ?? '', undefined)
  return levelFor(fieldOf(http.head, 'content-type') ?? '', fieldOf(http.head, 'content-encoding'))
}
