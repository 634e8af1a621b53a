/** Writes a CDXJ file of one archive file: the line that says how its keys were made, and a line for each capture. */
import type { CaptureOptions } from '../formats/cdx/captures.ts'
import { DiskFault, type Task } from '../world/world.ts'
import { indexHeader, indexLines, type IndexOptions } from './indexLines.ts'
import { writeWhole } from './lineFile.ts'
import { watchedFile } from './watchedFile.ts'

export interface IndexFileInput {
  path: string
  filename: string
  /** Where the lines go. */
  target: string
  digests: CaptureOptions['digests']
}

export type IndexFileOutcome =
  { kind: 'indexed'; captures: number; complaints: number } | { kind: 'unreadable'; text: string }

export const task: Task<IndexFileInput, IndexFileOutcome> = async ({ world, signal }, input) => {
  const { path, filename, target, digests } = input
  // Two answers of one address to different requests are not each other's.
  const options: IndexOptions = { form: 'cdxj', filename, digests, post: true }
  try {
    const opened = await world.disk.openRead(path)
    try {
      const file = watchedFile(opened, { signal, onBytes: () => undefined })
      const outcome = { kind: 'indexed' as const, captures: 0, complaints: 0 }
      await writeWhole(world, target, async (append) => {
        await append(Buffer.from(`${indexHeader(options)}\n`))
        const tell = (line: string) => append(Buffer.from(`${line}\n`))
        const { captures, complaints } = await indexLines({ world, file, path, options, signal, tell })
        Object.assign(outcome, { captures, complaints })
      })
      return outcome
    } finally {
      await opened.close()
    }
  } catch (error) {
    // The class of an error does not survive the way out of a thread, so what the disk refused becomes a value.
    if (error instanceof DiskFault) return { kind: 'unreadable', text: error.message }
    throw error
  }
}
