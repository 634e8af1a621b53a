/** Bytes in memory as a file: for tests, the simulation and the fuzzer. Ships in no build. */
import type { ByteSource } from '../fileWindow.ts'

export function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    read(into, position) {
      const part = bytes.subarray(position, position + into.length)
      into.set(part)
      return Promise.resolve(part.length)
    },
  }
}
