/** Input and results of `unpackFile.thread.ts`. */
import type { Message } from '../../contract/words/message.ts'
import type { Findings } from './findings.ts'
import type { Rejection } from './rejection.ts'

/** The file to copy. */
export interface UnpackInput {
  /** Id in the database. */
  file: number
  path: string
  /** Place in the package; '' for the file itself. */
  entry: string
  /** The folder of the job. */
  folder: string
  /** Name and version of this software, recorded in converted files. */
  software: string
}

/** A file that was copied or converted to `partPath`. */
export interface UnpackedFile {
  kind: 'file'
  treatment: 'kept' | 'converted'
  /** Checksum of the original. */
  sha256: string
  /** Findings of copying or converting. */
  findings: Findings
}

/** A package whose contents were listed. */
export interface UnpackedPackage {
  kind: 'package'
  /** Only the contents show whether it is a WACZ. */
  format: Message
  /** The archive files and packages in it, in their order. */
  parts: { entry: string; kind: Message; bytes: number }[]
  /** The documents, copied to `documentPath` and numbered from 0. */
  documents: { entry: string; contentType: string }[]
  /** The first pages that the package names. */
  pages: string[]
  findings: Findings
}

/** Result for one file. */
export type Unpacked = UnpackedFile | UnpackedPackage | Rejection
