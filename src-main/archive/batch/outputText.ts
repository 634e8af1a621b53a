/** A piece of a text file by its place, cut where a letter ends. */
import type { BatchOutput } from '../../contract/contract.ts'
import type { Disk } from '../../world/world.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'

/** Undefined when the file is not there. */
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

/** UTF-8: a letter is a byte below 0x80, or one from 0xC0 on with those behind it from 0x80 to 0xBF, three at most. */
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
