/** What an index was asked to cover and could not. Said wherever the index is used: it never passes for a whole one. */
import type { IndexedFile, MissingFile } from './captureLines.ts'

/** As a database says it of itself. */
export interface Manifest {
  /** Everything was asked for: `jobsAsked` are all jobs of which the archive has files. */
  isAll: boolean
  jobsAsked: number[]
  /** By their names. */
  filesAsked: string[]
  /** Those of which the archive has files. */
  jobsFound: number[]
  jobsMissing: number[]
  /** What is in the index, by name. */
  files: IndexedFile[]
  /** What was asked for and could not be had when the index was built. */
  filesMissing: MissingFile[]
}

export interface Completeness extends Manifest {
  /** Of the files that are there: records and index lines that could not be read as they should. What still names an address
   *  is in the index all the same. */
  quarantined: { count: number; first: QuarantinedPlace[] }
}

export interface QuarantinedPlace {
  file: string
  /** Of the record; undefined where it is not known. */
  offset: number | undefined
  reason: string
}
