/** Checks one file completely: its format, its records in order, and the bytes between them; for a WACZ also the
 *  package and each archive file in it; for a HAR its entries. Memory is bounded by the limits of the readers and of
 *  fileMemory.ts. Findings are counted in findingTally.ts; several files are checked in src-main/files. */
import { archiveParts, type ArchivePart } from './archiveParts.ts'
import type { ByteSource } from './bytes/fileWindow.ts'
import { finding, type Finding } from './rules/finding.ts'
import { exchangeOf } from './har/exchange.ts'
import { readHar } from './har/har.ts'
import { readRecords } from './records/readRecords.ts'
import type { RuleName } from './rules/rules.ts'
import { checkWacz } from './wacz/checkWacz.ts'
import { checkRecord, type CheckedRecord } from './check/checkRecord.ts'
import { FileMemory } from './check/fileMemory.ts'

/** The file, and what the checks compare it with. */
export interface FileToCheck {
  /** Name for findings; its last part is compared with WARC-Filename. */
  name: string
  bytes: number
  /** Time of the check: dates after it are in the future. */
  nowMs: number
}

/** The findings about one record, or about bytes between records, or about the file. */
export interface Checked {
  /** Name of the file, followed by a path in a package after each `!`. */
  file: string
  /** Undefined for findings between records or about the file. */
  record: CheckedRecord | undefined
  /** Findings with their offsets in the file. */
  findings: Finding[]
}

/** Yields the results for a file in the order in which it is read. */
export async function* checkArchiveFile(source: ByteSource, file: FileToCheck): AsyncGenerator<Checked> {
  const { name, bytes, nowMs } = file
  const refused: Checked[] = []
  const onFinding = (found: Finding, path: string): void => {
    // Other findings of archiveParts about a package are reported by checkWacz too.
    if (refusals.has(found.rule)) refused.push(alone(path, found))
  }
  let isPackage = true
  for await (const part of archiveParts(source, { name, bytes, onFinding })) {
    isPackage &&= part.path !== name
    yield* part.kind.form === 'har' ? checkHar(part) : checkRecords(part.source, { name: part.path, nowMs })
    yield* refused.splice(0)
  }
  const whole = refused.find((one) => one.file === name)
  if (whole) yield* checkRefused(source, file, whole)
  else yield* refused
  if (isPackage && !whole) for await (const found of checkWacz(source, bytes)) yield alone(name, found)
}

/** Rules of archiveParts for files that it does not open. */
const refusals: ReadonlySet<RuleName> = new Set<RuleName>(['notAnArchive', 'fileEmpty', 'packageWrapped'])

function alone(file: string, ...findings: Finding[]): Checked {
  return { file, record: undefined, findings }
}

/** Checks a file that was rejected. A file with the name of an archive file may be one with a damaged beginning: it
 *  is when a record is found in it. */
async function* checkRefused(source: ByteSource, file: FileToCheck, refusal: Checked): AsyncGenerator<Checked> {
  const before: Checked[] = []
  let isArchive = false
  if (refusal.findings[0]?.rule === 'notAnArchive' && archiveName.test(file.name)) {
    for await (const item of checkRecords(source, file)) {
      before.push(item)
      isArchive ||= item.record !== undefined
      if (isArchive) yield* before.splice(0)
    }
  }
  if (!isArchive) yield refusal
}

/** Names of archive files; `.open` is added by writers such as Heritrix while they write a file. */
const archiveName = /\.w?arc(\.gz|\.zst)?(\.open)?$/i

/** Checks the records of one archive file, and the bytes between them. */
async function* checkRecords(
  source: ByteSource,
  { name, nowMs }: { name: string; nowMs: number },
): AsyncGenerator<Checked> {
  const memory = new FileMemory(name)
  const between: Finding[] = []
  for await (const record of readRecords(source, { onFinding: (found) => between.push(found) })) {
    if (between.length > 0) yield alone(name, ...between.splice(0))
    const checked = await checkRecord(record, { nowMs, memory })
    yield { file: name, record: checked, findings: checked.findings }
  }
  const last = [...between, ...memory.end()]
  if (last.length > 0) yield alone(name, ...last)
}

/** Checks the entries of a HAR by converting them, as an import does. */
async function* checkHar({ source, path }: ArchivePart): AsyncGenerator<Checked> {
  yield alone(path, finding('harOnlyImported', 0))
  const between: Finding[] = []
  for await (const entry of readHar(source, { onFinding: (found) => between.push(found) })) {
    const found = [...between.splice(0), ...exchangeOf(entry).findings]
    if (found.length > 0) yield alone(path, ...found)
  }
  if (between.length > 0) yield alone(path, ...between)
}
