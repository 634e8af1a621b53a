/** Holds the block of a record between reading and writing. The header before a block contains its length, its
 *  digest and whether it is complete, which are known only after reading it: small blocks are held in memory, large
 *  ones in a spool. The source is thus read once, even when it allows no random access (one gzip member around all
 *  records). */
import { digester, type DigestAlgorithm } from '../bytes/digest.ts'

/** Temporary storage for a large block, usually a file. It holds one block at a time. */
export interface Spool {
  clear(): Promise<void>
  append(bytes: Uint8Array): Promise<void>
  /** Yields the first `bytes` bytes that were appended; may be called several times. */
  read(bytes: number): AsyncIterable<Uint8Array>
}

/** Maximum size of a block held in memory: nearly all pages and images fit; larger ones are videos and disk images. */
export const heldBytesMax = 8 * 1024 * 1024

/** A block that was read completely. */
export interface HeldBlock {
  bytes: number
  /** Beginning of the block: all of a small one, up to `heldBytesMax` of a large one. */
  beginning: Uint8Array
  /** Returns a block with the first `bytes` bytes. */
  cut(bytes: number): HeldBlock
  /** Yields the block; may be called several times. */
  chunks(): AsyncIterable<Uint8Array>
}

/** Reads a block completely, into memory or, when it is large, into the spool. */
export async function holdBlock(block: AsyncIterable<Uint8Array>, spool: Spool): Promise<HeldBlock> {
  const parts: Uint8Array[] = []
  let bytes = 0
  let spooled = false
  for await (const chunk of block) {
    if (bytes + chunk.length <= heldBytesMax) parts.push(chunk)
    else {
      if (!spooled) {
        await spool.clear()
        for (const part of parts) await spool.append(part)
        spooled = true
      }
      await spool.append(chunk)
    }
    bytes += chunk.length
  }
  // Always a copy, because the reader may reuse its buffers.
  const beginning = Buffer.concat(parts)
  return spooled ? spooledBlock(spool, beginning, bytes) : memoryBlock(beginning)
}

/** Returns a block that is in memory. */
export function memoryBlock(block: Uint8Array): HeldBlock {
  return {
    bytes: block.length,
    beginning: block,
    cut: (bytes) => memoryBlock(block.subarray(0, bytes)),
    async *chunks() {
      if (block.length > 0) yield block
    },
  }
}

/** Returns a block whose bytes are in the spool; it is valid until the spool is cleared. */
function spooledBlock(spool: Spool, beginning: Uint8Array, bytes: number): HeldBlock {
  return {
    bytes,
    beginning: beginning.subarray(0, bytes),
    cut: (kept) =>
      kept <= beginning.length ? memoryBlock(beginning.subarray(0, kept)) : spooledBlock(spool, beginning, kept),
    chunks: () => spool.read(bytes),
  }
}

/** Computes the digest of a block; the result provides it in base32 or hexadecimal. */
export async function digestOfBlock(block: HeldBlock, algorithm: DigestAlgorithm) {
  const running = digester(algorithm)
  for await (const chunk of block.chunks()) running.update(chunk)
  return running
}
