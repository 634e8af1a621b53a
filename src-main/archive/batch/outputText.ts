/** Reads a part of a text file by its offset, ending at a character boundary. */
import type { BatchOutput } from '../../contract/services/batch.ts'
import type { Disk } from '../../world/world.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'

/** Text from `offset`, at most `limit` bytes, and the offset of the next part; undefined when the file does not exist. */
export async function textAt(
  disk: Disk,
  path: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<BatchOutput | undefined> {
  const file = await disk.openRead(path).catch(undefinedWhenAbsent)
  if (!file) return undefined
  try {
    const bytesTotal = await file.bytes()
    const buffer = Buffer.alloc(Math.max(0, Math.min(limit, bytesTotal - offset)))
    const read = buffer.subarray(0, await file.read(buffer, offset))
    const whole = offset + read.length < bytesTotal ? wholeLetters(read) : read
    return { text: whole.toString('utf8'), next: offset + whole.length, bytesTotal }
  } finally {
    await file.close()
  }
}

/** Cuts an incomplete UTF-8 character at the end: a character is a byte below 0x80, or a byte from 0xC0 followed by up to three bytes
 *  from 0x80 to 0xBF. */
function wholeLetters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte < 0xc0) continue
    const needed = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}
