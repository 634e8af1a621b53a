/** Files of lines, read and written without holding them whole in memory. */
import type { ReadableFile, World } from '../../world/world.ts'
import { BatchedWrites } from './batchedWrites.ts'
import { lineBytesMax, readBytes } from './limits.ts'

const LF = 10
const nothing = Buffer.alloc(0)

/**
 * Yields the lines of a file without their ends, all lines of one read at once: yielding each by itself took as long as the reading. A line
 * that is too long is skipped: it is damage, and the next one may be good.
 */
export async function* linesOf(
  file: ReadableFile,
  onTooLong: () => void = () => undefined,
): AsyncGenerator<readonly string[]> {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  /** The beginning of a line whose end has not been read yet. */
  let held = nothing
  let skipping = false
  for (let position = 0; ;) {
    const read = await file.read(buffer, position)
    if (read === 0) break
    position += read
    const lines: string[] = []
    let start = 0
    for (let end = buffer.indexOf(LF); end >= 0 && end < read; end = buffer.indexOf(LF, start)) {
      // Each line is a separate string: slices of one long string take three times as long to compare.
      if (held.length > 0) lines.push(Buffer.concat([held, buffer.subarray(start, end)]).toString('utf8'))
      else if (!skipping) lines.push(buffer.toString('utf8', start, end))
      held = nothing
      skipping = false
      start = end + 1
    }
    if (lines.length > 0) yield lines
    if (skipping) continue
    held = Buffer.concat([held, buffer.subarray(start, read)])
    if (held.length > lineBytesMax) {
      skipping = true
      held = nothing
      onTooLong()
    }
  }
  if (held.length > 0) yield [held.toString('utf8')]
}

/** Writes under a temporary name and renames the file when `write` has finished: a file with the final name is complete. */
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
