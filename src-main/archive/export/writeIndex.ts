/** An export of index lines: the caller has an index that writes them, and this module reads them again and gives the file its name. */
import { message, type Message } from '../../contract/words/message.ts'
import { linesOf } from '../../files/disk/lineFile.ts'
import { partOf, type ExportOutcome } from '../../files/export/export.ts'
import type { Narrowing } from '../../files/export/selection.ts'
import type { World } from '../../world/world.ts'
import { removeIfThere } from './leftovers.ts'

/** Where and how the lines are written. */
export interface IndexToWrite {
  path: string
  form: 'cdx' | 'cdxj'
  narrowing: Narrowing
  signal: AbortSignal
  onProgress: (progress: { lines: number; bytes: number }) => void
}

/** What was written, and sentences about what is missing. */
export interface WrittenIndex {
  lines: number
  bytes: number
  lacking: Message[]
}

/** Writes the lines, counts them again and renames the file. Rejects as `write` does, and with `DiskFault`. */
export async function writeIndex(
  { disk }: Pick<World, 'disk'>,
  { path, ...order }: IndexToWrite,
  write: (index: IndexToWrite) => Promise<WrittenIndex>,
): Promise<ExportOutcome> {
  const part = partOf(path)
  try {
    const { lines, bytes, lacking } = await write({ ...order, path: part })
    const read = (await lineCount(disk, part)) - 1
    if (read !== lines) {
      const problem = message('export.differs', { problem: message('export.differs.lines', { read, written: lines }) })
      return { kind: 'failed', code: 'damaged', problem }
    }
    order.signal.throwIfAborted()
    await disk.rename(part, path)
    return { kind: 'written', records: lines, bytes, complete: lacking.length === 0, remarks: lacking }
  } finally {
    await removeIfThere(disk, part)
  }
}

async function lineCount(disk: World['disk'], path: string): Promise<number> {
  const file = await disk.openRead(path)
  let count = 0
  try {
    for await (const lines of linesOf(file)) count += lines.length
  } finally {
    await file.close()
  }
  return count
}
