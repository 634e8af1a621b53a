/** Writes a CDXJ file of one archive file: the line that says how its keys were made, a line for each capture, and one for each
 *  place that could not be read as it should. */
import type { CaptureOptions } from '../../formats/cdx/captures.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { quarantineLine, type Quarantined } from '../../formats/cdx/quarantineLines.ts'
import { DiskFault, type Task } from '../../world/world.ts'
import { indexHeader, indexLinesOf, type IndexOptions } from './indexLines.ts'
import { quarantinedMax } from '../disk/limits.ts'
import { writeWhole } from '../disk/lineFile.ts'
import { watchedFile } from '../disk/watchedFile.ts'

export interface IndexFileInput {
  path: string
  filename: string
  /** Where the lines go. */
  target: string
  digests: CaptureOptions['digests']
}

export type IndexFileOutcome =
  | { kind: 'indexed'; captures: number; findings: number }
  | { kind: 'unreadable'; text: string }

export const task: Task<IndexFileInput, IndexFileOutcome> = async ({ world, signal }, input) => {
  const { path, filename, target, digests } = input
  // Two answers of one address to different requests are not each other's.
  const options: IndexOptions = { form: 'cdxj', filename, digests, post: true }
  try {
    const opened = await world.disk.openRead(path)
    try {
      const file = watchedFile(opened, { signal, onBytes: () => undefined })
      const outcome = { kind: 'indexed' as const, captures: 0, findings: 0 }
      await writeWhole(world, target, async (append) => {
        await append(Buffer.from(`${indexHeader(options)}\n`))
        const emit = (line: string) => append(Buffer.from(`${line}\n`))
        const { kept, onFinding } = quarantine()
        const { captures, findings } = await indexLinesOf({ world, file, path, options, signal, emit }, onFinding)
        for (const each of kept()) await emit(quarantineLine(each))
        Object.assign(outcome, { captures, findings })
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

/** The first so many of what is an error; the rest is counted in one line. */
function quarantine() {
  const first: Quarantined[] = []
  let more = 0
  return {
    onFinding({ severity, text, offset }: Finding) {
      if (severity !== 'error') return
      if (first.length < quarantinedMax) first.push({ offset, reason: text, count: 1 })
      else more += 1
    },
    kept(): Quarantined[] {
      if (more === 0) return first
      return [...first, { offset: undefined, reason: `And ${more} more in this file.`, count: more }]
    },
  }
}
