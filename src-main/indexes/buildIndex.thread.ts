/** Makes the database of one set of jobs out of CDXJ lines, under the name it is told. Lines come in any order and are
 *  inserted in sorted batches; a line that is none is counted. */
import { isCdxjHeader } from '../formats/cdx/canonicaliser.ts'
import type { Capture } from '../formats/cdx/capture.ts'
import { parseCdxjLine } from '../formats/cdx/cdxj.ts'
import { openDerived } from '../storage/storage.ts'
import type { Task } from '../world/world.ts'
import { buildStatements, captureSchema } from './captureIndex.sql.ts'
import { linesOf } from '../files/lineFile.ts'
import { batchRows } from './limits.ts'

export interface BuildInput {
  /** Must not exist. */
  database: string
  files: { name: string; job: number; lines: string }[]
  manifest: Record<string, unknown>
}

export interface BuildOutcome {
  captures: number
  /** Lines that could not be read as CDXJ, or are about another file. */
  strange: number
}

export const task: Task<BuildInput, BuildOutcome, { captures: number }> = async ({ world, report, signal }, input) => {
  const store = openDerived(input.database, captureSchema)
  const statements = buildStatements(store)
  const outcome = { captures: 0, strange: 0 }
  let batch: { capture: Capture; file: number }[] = []

  const insert = () => {
    batch.sort((a, b) => order(a.capture.key, b.capture.key) || a.capture.timestampMs - b.capture.timestampMs)
    store.transaction(() => {
      for (const { capture, file } of batch) outcome.captures += statements.addCapture.run(rowOf(capture, file))
    })
    batch = []
    report({ captures: outcome.captures })
  }
  try {
    store.transaction(() => {
      for (const [name, value] of Object.entries(input.manifest))
        statements.addManifest.run({ name, value: JSON.stringify(value) })
      input.files.forEach(({ name, job }, id) => statements.addFile.run({ id, name, job }))
    })
    for (const [id, { name, lines }] of input.files.entries()) {
      const file = await world.disk.openRead(lines)
      try {
        for await (const line of linesOf(file)) {
          signal.throwIfAborted()
          if (isCdxjHeader(line)) continue
          const capture = parseCdxjLine(line)
          if (capture?.filename !== name) outcome.strange += 1
          else if (batch.push({ capture, file: id }) >= batchRows) insert()
        }
      } finally {
        await file.close()
      }
    }
    insert()
    statements.addPageIndex.run({})
    statements.addPayloadIndex.run({})
  } finally {
    store.close()
  }
  return outcome
}

function rowOf(capture: Capture, file: number) {
  const { filename: _, status, mediaType, method = '', ...row } = capture
  return { ...row, file, method, status: status ?? null, mediaType: mediaType.toLowerCase() }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
