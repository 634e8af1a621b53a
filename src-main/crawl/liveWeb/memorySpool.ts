/** The bytes of an answer that nobody keeps, in memory: their number is bounded by the caller (`responseBytesMax`). */
import type { Spool } from '../capture/fetch/spool.ts'

/** Creates an empty spool. */
export function memorySpool(): Spool {
  let chunks: Uint8Array[] = []
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    get memory() {
      return chunks
    },
    async append(chunk) {
      chunks.push(chunk)
      bytes += chunk.length
    },
    async *read() {
      yield* chunks
    },
    head: async (bytesMax) => Buffer.concat(chunks).subarray(0, bytesMax),
    async discard() {
      chunks = []
    },
  }
}
