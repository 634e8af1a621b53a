/** Bytes as a file, for the tests of this floor. Ships in no build: only tests import it. */
import type { ByteSource } from '../bytes/fileWindow.ts'

export function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    read(into, position) {
      const part = bytes.subarray(position, position + into.length)
      into.set(part)
      return Promise.resolve(part.length)
    },
  }
}
