/** One step of building a capture database: copying a base, adding the lines of some files, or declaring it complete. Lines may
 *  come in any order and are inserted in sorted batches. Invalid lines are quarantined, and reading continues. */
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import { isCdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import type { Capture } from '../../formats/cdx/capture.ts'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import { foldedUrl } from '../../formats/cdx/postKey.ts'
import { parseQuarantineLine, type Quarantined } from '../../formats/cdx/quarantineLines.ts'
import { surt } from '../../formats/cdx/surt.ts'
import { openDerived, openScratch, type Store } from '../../storage/storage.ts'
import { makeClosedFile } from '../../world/closedFile.ts'
import type { ReadableFile, Task } from '../../world/world.ts'
import { addDuplicates, type DuplicatesToAdd } from './addDuplicates.ts'
import { buildStatements, capturesAtOnce, captureSchema, type CaptureValues } from '../captures/captureIndex.sql.ts'
import type { LineFile } from '../lines/captureLines.ts'
import { linesOf } from '../../files/disk/lineFile.ts'
import { badLineCharactersMax, batchRows } from '../model/limits.ts'
import { logKindOf, logUrlPart } from '../logs/logRecords.ts'
import { openComplete } from '../captures/manifest.ts'
import { withStore } from '../databases/withStore.ts'

/** One step of a build. */
export interface BuildInput {
  /** Path of the database, which is created if it does not exist. */
  database: string
  /** Database to copy to `database` first. */
  base?: string
  /** The database is read before it is complete. */
  isRead: boolean
  files: LineFile[]
  /** Duplicates of files whose lines are in the database. */
  duplicates?: DuplicatesToAdd[]
  /** Manifest rows, which declare the database complete. */
  whole?: { name: string; value: string }[]
  /** Path for a copy of the complete database. */
  copy?: string
}

/** Counts since the step began. */
export interface BuildReport {
  filesDone: number
  /** May decrease when duplicates turn out to have records of their own. */
  captures: number
}

export const task: Task<BuildInput, void, BuildReport> = async ({ world, report, signal }, input) => {
  const { database, base, isRead, files, duplicates, whole, copy } = input
  if (base !== undefined) copyDatabase(base, database)
  await withStore((isRead ? openDerived : openScratch)(database, captureSchema), async (store) => {
    const inserting = new Inserting(store, report)
    for (const file of files) {
      const lines = await world.disk.openRead(file.lines)
      try {
        await inserting.addFile(file, lines, signal)
      } finally {
        await lines.close()
      }
    }
    inserting.flush()
    if (duplicates) report({ filesDone: 0, captures: await addDuplicates(store, { world, signal }, duplicates) })
    if (whole) for (const index of buildStatements(store).addIndexes) index.run({})
  })
  if (whole === undefined) return
  await withStore(openDerived(database, captureSchema), (store) => {
    declareWhole(store, whole)
    if (copy !== undefined) copyInto(store, copy)
  })
}

function copyDatabase(from: string, path: string): void {
  const base = openComplete(from)
  try {
    copyInto(base, path)
  } finally {
    base.close()
  }
}

function copyInto(store: Store, path: string): void {
  makeClosedFile(path)
  buildStatements(store).copy.run({ path })
}

/** The manifest is written last and synced, so a database with a manifest is complete. */
function declareWhole(store: Store, rows: { name: string; value: string }[]): void {
  const { addManifest, clearManifest } = buildStatements(store)
  store.transaction(() => {
    clearManifest.run({})
    for (const row of rows) addManifest.run(row)
  })
}

interface Line {
  line: string
  /** Line number, from 1. */
  number: number
  of: { file: number; name: string }
}

/** Records or lines that are not in the index, and why. */
interface Unusable extends Omit<Quarantined, 'reason'> {
  reason: Message
}

/** Collects lines of all files into batches. Lines are sorted as text, by their keys, and parsed only when inserted: the parsed
 *  objects are short-lived, and sorting moves and compares half as much memory. */
class Inserting {
  readonly #store: Store
  readonly #report: (progress: BuildReport) => void
  readonly #statements: ReturnType<typeof buildStatements>
  readonly #progress = { filesDone: 0, captures: 0 }
  #filesRead = 0
  #batch: Line[] = []
  #quarantined: (Unusable & { number: number; file: number })[] = []

  constructor(store: Store, report: (progress: BuildReport) => void) {
    this.#store = store
    this.#report = report
    this.#statements = buildStatements(store)
  }

  async addFile({ name, job }: LineFile, lines: ReadableFile, signal: AbortSignal): Promise<void> {
    const file = this.#statements.addFile.get({ name, job })?.id
    if (file === undefined) throw new Error('INSERT … RETURNING gave no row')
    const of = { file, name }
    let number = 0
    const onTooLong = () => {
      number += 1
      this.#quarantined.push({ ...badLine(message('index.line.tooLong', { number })), number, file })
    }
    for await (const read of linesOf(lines, onTooLong)) {
      signal.throwIfAborted()
      for (const line of read) if (this.#batch.push({ line, number: ++number, of }) >= batchRows) this.flush()
    }
    this.#filesRead += 1
  }

  flush(): void {
    this.#batch.sort((a, b) => order(a.line, b.line))
    this.#store.transaction(() => {
      for (let at = 0; at < this.#batch.length; at += capturesAtOnce)
        this.#insert(this.#batch.slice(at, at + capturesAtOnce))
      // In line order, as a reader of the file finds them.
      this.#quarantined.sort((a, b) => a.file - b.file || a.number - b.number)
      for (const { reason, count, file, offset } of this.#quarantined)
        this.#statements.addQuarantined.run({ reason: storedMessage(reason), count, file, offset: offset ?? null })
    })
    this.#batch = []
    this.#quarantined = []
    this.#progress.filesDone = this.#filesRead
    this.#report({ ...this.#progress })
  }

  #insert(lines: Line[]): void {
    const captures = lines.flatMap(({ line, number, of: { file, name } }) => {
      const read = readLine(line, { name, number })
      if (read === undefined) return []
      if (!('reason' in read)) {
        this.#noteLog(read, file)
        return [valuesOf(read, file)]
      }
      this.#quarantined.push({ ...read, number, file })
      return []
    })
    const { addCapture, addCaptures } = this.#statements
    if (captures.length === capturesAtOnce) this.#progress.captures += addCaptures.run(captures.flat())
    else for (const values of captures) this.#progress.captures += addCapture.run(values)
  }

  #noteLog({ url, offset, length }: Capture, file: number): void {
    const kind = url.includes(logUrlPart) ? logKindOf(url) : undefined
    if (kind !== undefined) this.#statements.addLogRecord.run({ file, offset, length, kind })
  }
}

/** Parses a line. Undefined: it is neither a capture nor a quarantine entry. */
function readLine(line: string, { name, number }: { name: string; number: number }): Capture | Unusable | undefined {
  if (isCdxjHeader(line)) return quarantinedIn(line)
  const capture = parseCdxjLine(line)
  if (capture === undefined)
    return badLine(message('index.line.invalid', { number, line: line.slice(0, badLineCharactersMax) }))
  if (capture.filename !== name) return badLine(message('index.line.otherFile', { number, file: capture.filename }))
  // With a wrong key it would answer for another URL.
  if (capture.key !== keyOf(capture)) return badLine(message('index.line.wrongKey', { number, url: capture.url }))
  return capture
}

/** An entry about records that could not be read when the lines were made. */
function quarantinedIn(line: string): Unusable | undefined {
  const entry = parseQuarantineLine(line)
  return entry && { ...entry, reason: message('text', { text: entry.reason }) }
}

function keyOf({ url, method, requestBody = '' }: Capture): string {
  return surt(method === undefined ? url : foldedUrl({ url, method, requestBody }))
}

function badLine(reason: Message): Unusable {
  return { offset: undefined, reason, count: 1 }
}

function valuesOf(capture: Capture, file: number): CaptureValues {
  const { key, timestampMs, offset, length, url, mediaType, status, payloadDigest, recordType, method } = capture
  const said = [url, mediaType.toLowerCase(), status ?? null, payloadDigest, recordType, method ?? ''] as const
  return [key, timestampMs, file, offset, length, ...said]
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
