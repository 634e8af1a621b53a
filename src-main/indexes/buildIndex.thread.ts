/** A step in the making of a database of captures: it is copied from another, lines of some files are added, or it is declared
 *  whole. Lines come in any order and are inserted in sorted batches; a line that is none goes into quarantine, and the next
 *  may be good. */
import { isCdxjHeader } from '../formats/cdx/canonicaliser.ts'
import type { Capture } from '../formats/cdx/capture.ts'
import { parseCdxjLine } from '../formats/cdx/cdxj.ts'
import { foldedUrl } from '../formats/cdx/postKey.ts'
import { parseQuarantineLine, type Quarantined } from '../formats/cdx/quarantineLines.ts'
import { surt } from '../formats/cdx/surt.ts'
import { openDerived, StorageFault, type Store } from '../storage/storage.ts'
import type { ReadableFile, Task } from '../world/world.ts'
import { buildStatements, captureSchema, type CaptureValues } from './captureIndex.sql.ts'
import type { LineFile } from './captureLines.ts'
import { linesOf } from '../files/lineFile.ts'
import { badLineCharactersMax, batchRows } from './limits.ts'
import { keptIn } from './manifest.ts'

export interface BuildInput {
  /** Made when it is not there. */
  database: string
  /** Copied to `database` before anything is added. */
  base?: string
  files: LineFile[]
  /** Rows of the manifest: nothing more comes. */
  whole?: { name: string; value: string }[]
  /** Where a copy of the whole one goes. */
  copy?: string
}

/** Since the step began. */
export interface BuildReport {
  filesDone: number
  captures: number
}

export const task: Task<BuildInput, void, BuildReport> = async ({ world, report, signal }, input) => {
  if (input.base !== undefined) copyDatabase(input.base, input.database)
  const store = openDerived(input.database, captureSchema)
  try {
    const statements = buildStatements(store)
    const inserting = insertingInto(store, report)
    for (const file of input.files) {
      const lines = await world.disk.openRead(file.lines)
      try {
        await addLines(lines, file, { statements, inserting, signal })
      } finally {
        await lines.close()
      }
    }
    inserting.flush()
    if (input.whole) declareWhole(store, input.whole)
    if (input.copy !== undefined) statements.copy.run({ path: input.copy })
  } finally {
    store.close()
  }
}

function copyDatabase(from: string, path: string): void {
  const base = openDerived(from, captureSchema)
  try {
    // It may have been removed meanwhile, and then is made here, empty.
    if (keptIn(base) === undefined) throw new StorageFault('damaged', `${from} is no whole index`)
    buildStatements(base).copy.run({ path })
  } finally {
    base.close()
  }
}

function declareWhole(store: Store, rows: { name: string; value: string }[]): void {
  const { addIndexes, addManifest, clearManifest } = buildStatements(store)
  store.transaction(() => {
    for (const index of addIndexes) index.run({})
    clearManifest.run({})
    for (const row of rows) addManifest.run(row)
  })
}

type Inserting = ReturnType<typeof insertingInto>

/** Gathers captures of all files into batches. */
function insertingInto(store: Store, report: (progress: BuildReport) => void) {
  const { addCapture } = buildStatements(store)
  const progress = { filesDone: 0, captures: 0 }
  let filesRead = 0
  let batch: { capture: Capture; file: number }[] = []
  const flush = () => {
    batch.sort((a, b) => order(a.capture.key, b.capture.key) || a.capture.timestampMs - b.capture.timestampMs)
    store.transaction(() => {
      for (const { capture, file } of batch) progress.captures += addCapture.run(valuesOf(capture, file))
    })
    batch = []
    progress.filesDone = filesRead
    report({ ...progress })
  }
  return {
    flush,
    add(capture: Capture, file: number) {
      if (batch.push({ capture, file }) >= batchRows) flush()
    },
    fileRead: () => void (filesRead += 1),
  }
}

interface Adding {
  statements: ReturnType<typeof buildStatements>
  inserting: Inserting
  signal: AbortSignal
}

async function addLines(
  lines: ReadableFile,
  { name, job }: LineFile,
  { statements, inserting, signal }: Adding,
): Promise<void> {
  const file = statements.addFile.get({ name, job })?.id
  if (file === undefined) throw new Error('INSERT … RETURNING gave no row')
  const quarantine = (found: Quarantined) => statements.addQuarantined.run(quarantinedRow(found, file))
  let number = 0
  for await (const line of linesOf(lines, () => quarantine(badLine(++number, 'is too long')))) {
    signal.throwIfAborted()
    const read = readLine(line, { name, number: ++number })
    if (read === undefined) continue
    if ('reason' in read) quarantine(read)
    else inserting.add(read, file)
  }
  inserting.fileRead()
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

function valuesOf(capture: Capture, file: number): CaptureValues {
  const { key, timestampMs, offset, length, url, mediaType, status, payloadDigest, recordType, method } = capture
  const said = [url, mediaType.toLowerCase(), status ?? null, payloadDigest, recordType, method ?? ''] as const
  return [key, timestampMs, file, offset, length, ...said]
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
