/**
 * Worker thread that writes a CDXJ file of one archive file: a line that states how its keys were made, a line for each capture, and one
 * for each place that could not be read properly.
 */
import type { CaptureOptions } from '../../formats/cdx/captures.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { quarantineLine, type Quarantined } from '../../formats/cdx/quarantineLines.ts'
import { DiskFault, type Task } from '../../world/world.ts'
import { indexHeader, indexLinesOf, type IndexOptions } from './indexLines.ts'
import { quarantinedMax } from '../disk/limits.ts'
import { writeWhole } from '../disk/lineFile.ts'
import { watchedFile } from '../disk/watchedFile.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** A file and where its index is written. */
export interface IndexFileInput {
  path: string
  filename: string
  /** Path of the new index file. */
  target: string
  digests: CaptureOptions['digests']
}

/** Result for one file. A file that the disk does not return has no index. */
export type IndexFileOutcome =
  | { kind: 'indexed'; captures: number; findings: number }
  | { kind: 'unreadable'; fault: Pick<DiskFault, 'code' | 'path'> }

/** Writes the index under a temporary name, and renames it when it is complete. */
export const task: Task<IndexFileInput, IndexFileOutcome> = async ({ world, signal }, input) => {
  const { path, filename, target, digests } = input
  // Answers of one URL to different requests must stay distinct.
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
    // The class of an error is lost when it leaves a thread, so disk errors are returned as values.
    if (error instanceof DiskFault) return { kind: 'unreadable', fault: { code: error.code, path: error.path } }
    throw error
  }
}

/** Collects the first errors up to the limit; the rest is counted in one line. */
function quarantine() {
  const first: Quarantined[] = []
  let more = 0
  return {
    onFinding({ severity, message: problem, offset }: Finding) {
      if (severity !== 'error') return
      if (first.length < quarantinedMax) first.push({ offset, reason: textOf(problem), count: 1 })
      else more += 1
    },
    kept(): Quarantined[] {
      if (more === 0) return first
      const reason = textOf(message('found.moreInFile', { count: more }))
      return [...first, { offset: undefined, reason, count: more }]
    },
  }
}
