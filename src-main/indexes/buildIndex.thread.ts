/** Makes the database of one set of jobs out of CDXJ lines, under the name it is told. Lines come in any order and are
 *  inserted in sorted batches; a line that is none goes into quarantine, and the next may be good. */
import { isCdxjHeader } from '../formats/cdx/canonicaliser.ts'
import type { Capture } from '../formats/cdx/capture.ts'
import { parseCdxjLine } from '../formats/cdx/cdxj.ts'
import { foldedUrl } from '../formats/cdx/postKey.ts'
import { parseQuarantineLine, type Quarantined } from '../formats/cdx/quarantineLines.ts'
import { surt } from '../formats/cdx/surt.ts'
import { openDerived } from '../storage/storage.ts'
import type { Task } from '../world/world.ts'
import { buildStatements, captureSchema } from './captureIndex.sql.ts'
import { linesOf } from '../files/lineFile.ts'
import { badLineCharactersMax, batchRows } from './limits.ts'

export interface BuildInput {
  /** Must not exist. */
  database: string
  files: { name: string; job: number; lines: string }[]
  manifest: Record<string, unknown>
}

export interface BuildOutcome {
  captures: number
}

export const task: Task<BuildInput, BuildOutcome, { captures: number }> = async ({ world, report, signal }, input) => {
  const store = openDerived(input.database, captureSchema)
  const statements = buildStatements(store)
  const outcome = { captures: 0 }
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
        let number = 0
        const quarantine = (found: Quarantined) => statements.addQuarantined.run(quarantinedRow(found, id))
        const tooLong = () => quarantine(badLine(++number, 'is too long'))
        for await (const line of linesOf(file, tooLong)) {
          signal.throwIfAborted()
          number += 1
          const read = readLine(line, { name, number })
          if (read === undefined) continue
          if ('reason' in read) quarantine(read)
          else if (batch.push({ capture: read, file: id }) >= batchRows) insert()
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

/** Undefined: it says nothing of a capture, and need not. */
function readLine(line: string, { name, number }: { name: string; number: number }): Capture | Quarantined | undefined {
  if (isCdxjHeader(line)) return parseQuarantineLine(line)
  const capture = parseCdxjLine(line)
  if (capture === undefined) return badLine(number, `is none: ${line.slice(0, badLineCharactersMax)}`)
  if (capture.filename !== name) return badLine(number, `is about another file, ${capture.filename}`)
  // It would answer for an address that it is not of.
  if (capture.key !== keyOf(capture)) return badLine(number, `has not the key of its address, ${capture.url}`)
  return capture
}

function keyOf({ url, method, requestBody = '' }: Capture): string {
  return surt(method === undefined ? url : foldedUrl({ url, method, requestBody }))
}

function badLine(number: number, what: string): Quarantined {
  return { offset: undefined, reason: `Line ${number} of its index ${what}.`, count: 1 }
}

function quarantinedRow({ offset, ...row }: Quarantined, file: number) {
  return { ...row, file, offset: offset ?? null }
}

function rowOf(capture: Capture, file: number) {
  const { filename: _, status, mediaType, method = '', ...row } = capture
  return { ...row, file, method, status: status ?? null, mediaType: mediaType.toLowerCase() }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
