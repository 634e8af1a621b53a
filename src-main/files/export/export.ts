/** Writing a selection of archive files out as one new file, in a worker thread: what it is given, what it says on the way
 *  and what came of it. Deliberately not here: which files belong to which jobs, and what is kept of an export (archive). */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { WaczSigningKey } from '../../formats/wacz/signature.ts'
import type { World } from '../../world/world.ts'
import type { Narrowing } from './selection.ts'

export interface SourceFile {
  /** In the archive; it stands in CSV rows and in sentences. */
  name: string
  path: string
  /** Null: it belongs to none. */
  job: number | null
  bytes: number
  sha256: string
}

export interface ExportInput {
  /** In the order in which they are to be written. */
  files: SourceFile[]
  /** What they are, as it stands in a sentence: "job 3", "everything in the archive". */
  selected: string
  narrowing: Narrowing
  /** Captures without records of their own. */
  duplicates?: DuplicatesToExport | undefined
  /** What selected revisits refer to is written too. */
  withOriginals: boolean
  form: { format: 'warc' } | { format: 'csv' } | ({ format: 'wacz' } & WaczForm)
  /** `Loupe/1.2`, for what says how it was made. */
  software: string
  /** The new file, which does not exist; while it is written it is `partOf(target)`. */
  target: string
  /** A folder of this engine's own, for what does not fit into memory. */
  workFolder: string
}

export interface DuplicatesToExport {
  /** A file of lines (`duplicateLine`), in the order in which the originals lie. */
  list: string
  /** Files outside of the export in which there are originals, as far as replicas give them. */
  originals: SourceFile[]
  /** Sentences about duplicates that may be missing in the list. */
  lacking: string[]
}

export interface WaczForm {
  version: '1.1.1' | '1.2.0'
  title: string
  /** Addresses where a person would begin, the likeliest first. */
  beginAt: string[]
  /** Without it the package is not signed. */
  key: WaczSigningKey | undefined
}

export interface ExportReport {
  step: 'writing' | 'verifying'
  records: number
  bytes: number
  filesDone: number
  bytesDone: number
  bytesTotal: number
}

export type ExportOutcome =
  | { kind: 'written'; records: number; bytes: number; complete: boolean; remarks: string[] }
  /** A sentence for a person. */
  | { kind: 'failed'; code: FaultCode; problem: string }

/** Where a file is written before it has its name. */
export function partOf(target: string): string {
  return `${target}.part`
}

/** Rejects with the signal's reason when it was stopped. Whatever happens short of a kill, nothing is left of an export that
 *  was not written whole. */
export function runExport(
  world: World,
  input: ExportInput,
  options: { signal: AbortSignal; onReport: (report: ExportReport) => void },
): Promise<ExportOutcome> {
  const module = new URL('./exportFiles.thread.ts', import.meta.url)
  return world.threads.run<ExportInput, ExportOutcome, ExportReport>(module, input, options)
}
