/** Reads one archive file from beginning to end and writes a CDXJ line for each capture in it, behind the line that says
 *  how their keys were made. What is strange in the file is
 *  counted, not kept: checks tell it with its place. */
import { canonicaliserVersionOfUrls, cdxjHeader } from '../formats/cdx/canonicaliser.ts'
import { capturesOf, type CaptureOptions } from '../formats/cdx/captures.ts'
import { cdxjLine } from '../formats/cdx/cdxj.ts'
import { DiskFault, type Task } from '../world/world.ts'
import { writeWhole } from './lineFile.ts'

export interface IndexFileInput {
  path: string
  filename: string
  /** Where the lines go. */
  target: string
  digests: CaptureOptions['digests']
}

export type IndexFileOutcome =
  { kind: 'indexed'; captures: number; complaints: number } | { kind: 'unreadable'; text: string }

export const task: Task<IndexFileInput, IndexFileOutcome, { captures: number }> = async (
  { world, report, signal },
  input,
) => {
  const counted = { captures: 0, complaints: 0 }
  try {
    const file = await world.disk.openRead(input.path)
    try {
      await writeWhole(world, input.target, async (append) => {
        await append(Buffer.from(`${cdxjHeader(canonicaliserVersionOfUrls)}\n`))
        // The viewer asks by address alone, so requests are not in these keys.
        for await (const found of capturesOf(file, input.filename, { digests: input.digests, post: false })) {
          signal.throwIfAborted()
          if ('complaint' in found) counted.complaints += 1
          else await append(Buffer.from(`${cdxjLine(found.capture)}\n`))
          if ('capture' in found && ++counted.captures % 1_000 === 0) report({ captures: counted.captures })
        }
      })
    } finally {
      await file.close()
    }
    return { kind: 'indexed', ...counted }
  } catch (error) {
    // The class of an error does not survive the way out of a thread, so what the disk refused becomes a value.
    if (error instanceof DiskFault) return { kind: 'unreadable', text: error.message }
    throw error
  }
}
