/** The block of a record between its reading and its writing. What stands before a block in a file (its length, its digest,
 *  whether it is whole) is only known after it, so a block is held: small ones in memory, large ones in a spool. That reads
 *  a source once, also where nothing but the beginning of the file can be jumped to (one gzip member around everything). */
import { digester, type DigestAlgorithm } from '../bytes/digest.ts'

/** Where a large block lies meanwhile: a file, as a rule. It holds one block at a time. */
export interface Spool {
  clear(): Promise<void>
  append(bytes: Uint8Array): Promise<void>
  /** The first `bytes` of what was appended; may be read several times. */
  read(bytes: number): AsyncIterable<Uint8Array>
}

/** What is held in memory: nearly every page and picture; beyond it are videos and disk images. */
export const heldBytesMax = 8 * 1024 * 1024

export interface HeldBlock {
  bytes: number
  /** From its beginning: all of a small block, `heldBytesMax` of a large one. */
  beginning: Uint8Array
  /** Its first `bytes` alone. */
  cut(bytes: number): HeldBlock
  /** May be called several times. */
  chunks(): AsyncIterable<Uint8Array>
}

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
  // A copy in every case: the reader may fill its buffers again.
  const beginning = Buffer.concat(parts)
  return spooled ? spooledBlock(spool, beginning, bytes) : memoryBlock(beginning)
}

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

function spooledBlock(spool: Spool, beginning: Uint8Array, bytes: number): HeldBlock {
  return {
    bytes,
    beginning: beginning.subarray(0, bytes),
    cut: (kept) =>
      kept <= beginning.length ? memoryBlock(beginning.subarray(0, kept)) : spooledBlock(spool, beginning, kept),
    chunks: () => spool.read(bytes),
  }
}

export async function digestOfBlock(block: HeldBlock, algorithm: DigestAlgorithm) {
  const running = digester(algorithm)
  for await (const chunk of block.chunks()) running.update(chunk)
  return running
}
