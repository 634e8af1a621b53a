/** Recovers the bytes of a record beyond its stated length: when the length is wrong or missing, they are between it
 *  and the next record. This is possible only in an uncompressed file; in a compressed one these bytes cannot be
 *  assigned. */
import { windowBytes, type ByteSource } from '../bytes/fileWindow.ts'
import { heldBytesMax, type HeldBlock } from './heldBlock.ts'
import type { HeldRecord } from './heldParts.ts'
import { recordEnd } from './recordMember.ts'

/** Returns the block up to the next record or the end of the file; undefined when there are no more bytes than in
 *  the block. */
export async function blockUpToNext(
  source: ByteSource,
  { header, record, block, nextAt }: HeldRecord,
  fileBytes: number,
): Promise<HeldBlock | undefined> {
  const from = record.offset + header.length
  const inFile = await bytesAt(source, record.offset, header.length)
  if (!inFile.equals(header)) return undefined
  const until = nextAt ?? fileBytes
  const last = await bytesAt(source, until - recordEnd.warc.length, recordEnd.warc.length)
  const bytes = until - from - (last.equals(recordEnd.warc) ? last.length : 0)
  return bytes > block.bytes ? blockInFile(source, from, bytes) : undefined
}

/** Returns a block that is read from an uncompressed file each time it is needed. */
async function blockInFile(source: ByteSource, from: number, bytes: number): Promise<HeldBlock> {
  return {
    bytes,
    beginning: await bytesAt(source, from, Math.min(bytes, heldBytesMax)),
    cut: () => {
      throw new Error('the block up to the next record is not cut again')
    },
    async *chunks() {
      for (let at = 0; at < bytes; at += windowBytes)
        yield await bytesAt(source, from + at, Math.min(windowBytes, bytes - at))
    },
  }
}

async function bytesAt(source: ByteSource, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, await source.read(bytes, position))
}
