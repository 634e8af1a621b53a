/**
 * Export of a selection of archive files as one new file, in a worker thread: its input, its progress reports and its result. The archive
 * decides which files belong to which jobs, and what is stored about an export.
 */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { Message } from '../../contract/words/message.ts'
import type { WaczSigningKey } from '../../formats/wacz/signature.ts'
import type { World } from '../../world/world.ts'
import type { Narrowing } from './selection.ts'

/** A file of the archive that is read for an export. */
export interface SourceFile {
  /** Name in the archive, used in CSV rows and in sentences. */
  name: string
  /** Path of one good copy. */
  path: string
  /** Null: it belongs to no job. */
  job: number | null
  bytes: number
  sha256: string
}

/** Parameters of an export. */
export interface ExportInput {
  /** Files in the order in which they are written. */
  files: SourceFile[]
  /** The selection as a phrase in a sentence: "job 3", "everything in the archive". */
  selected: Message
  narrowing: Narrowing
  /** Captures without records of their own. */
  duplicates?: DuplicatesToExport | undefined
  /** Revisits whose originals are in files outside of the export. */
  elsewhere?: ElsewhereToExport | undefined
  /** Whether the originals of selected revisits are written too. */
  withOriginals: boolean
  form: { format: 'warc' } | { format: 'csv' } | ({ format: 'wacz' } & WaczForm)
  /** `Loupe/1.2`, for the fields that name the software. */
  software: string
  /** The new file, which does not exist; while it is written its name is `partOf(target)`. */
  target: string
  /** A folder used only by this engine, for data that does not fit into memory. */
  workFolder: string
}

/** The duplicates that may be chosen. */
export interface DuplicatesToExport {
  /** A file of lines (`duplicateLine`), in the order of the originals. */
  list: string
  /** Files outside of the export that contain originals, as far as a replica has them. */
  originals: SourceFile[]
  /** Sentences about duplicates that may be missing in the list. */
  lacking: Message[]
}

/** A revisit whose original is in another file. */
export interface RevisitElsewhere {
  url: string
  timestampMs: number
  /** Place of the original. */
  filename: string
  offset: number
}

/** Revisits in the files of the export, in the order of their originals, which are in other files. */
export interface ElsewhereToExport {
  revisits: readonly RevisitElsewhere[]
  /** The files with the originals, as far as a replica has them. */
  files: SourceFile[]
  /** Sentences about originals that may be missing. */
  lacking: Message[]
}

/** Parameters of a WACZ package. */
export interface WaczForm {
  version: '1.1.1' | '1.2.0'
  title: string
  /** URLs of likely start pages, the likeliest first. */
  beginAt: string[]
  /** Without it the package is not signed. */
  key: WaczSigningKey | undefined
}

/** Progress of an export. */
export interface ExportReport {
  step: 'writing' | 'verifying'
  records: number
  bytes: number
  filesDone: number
  bytesDone: number
  bytesTotal: number
}

/** Result of an export. `complete` is false when something chosen is missing; `remarks` say what. */
export type ExportOutcome =
  | { kind: 'written'; records: number; bytes: number; complete: boolean; remarks: Message[] }
  /** Nothing was written; `problem` says why. */
  | { kind: 'failed'; code: FaultCode; problem: Message }

/** Returns the temporary name under which a file is written. */
export function partOf(target: string): string {
  return `${target}.part`
}

/**
 * Writes the export. Rejects with the signal's reason when it was stopped. Unless the process is killed, an incomplete export leaves no
 * files.
 */
export function runExport(
  world: World,
  input: ExportInput,
  options: { signal: AbortSignal; onReport: (report: ExportReport) => void },
): Promise<ExportOutcome> {
  const module = new URL('./exportFiles.thread.ts', import.meta.url)
  return world.threads.run<ExportInput, ExportOutcome, ExportReport>(module, input, options)
}
