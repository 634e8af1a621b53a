/** Files of lines, read and written without ever being whole in memory. */
import type { ReadableFile, World } from '../world/world.ts'
import { BatchedWrites } from './batchedWrites.ts'
import { lineBytesMax, readBytes } from './limits.ts'

const LF = 10

/** Each line without its end. A line that is too long is left out: it is damage, and the next one may be good. */
export async function* linesOf(file: ReadableFile, onTooLong: () => void = () => undefined): AsyncGenerator<string> {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  let held = Buffer.alloc(0)
  let skipping = false
  for (let position = 0; ;) {
    const read = await file.read(buffer, position)
    if (read === 0) break
    position += read
    let start = 0
    for (let end = buffer.indexOf(LF); end >= 0 && end < read; end = buffer.indexOf(LF, start)) {
      const rest = buffer.subarray(start, end)
      if (!skipping) yield (held.length === 0 ? rest : Buffer.concat([held, rest])).toString('utf8')
      held = Buffer.alloc(0)
      skipping = false
      start = end + 1
    }
    held = skipping ? held : Buffer.concat([held, buffer.subarray(start, read)])
    if (!skipping && held.length > lineBytesMax) {
      skipping = true
      onTooLong()
    }
    if (skipping) held = Buffer.alloc(0)
  }
  if (held.length > 0) yield held.toString('utf8')
}

/** Writes under a temporary name and gives the file its own when `write` has ended: what has the name is whole. */
export async function writeWhole(
  world: World,
  path: string,
  write: (append: (bytes: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${world.chance.uuid()}.part`
  const file = await world.disk.openWrite(temporary, 'create')
  const writes = new BatchedWrites(file)
  try {
    await write((bytes) => writes.append(bytes))
    await writes.flush()
    await file.sync()
    await file.close()
    await world.disk.rename(temporary, path)
  } catch (error) {
    await file.close()
    await world.disk.remove(temporary)
    throw error
  }
}
