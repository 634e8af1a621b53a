/** What an index should cover and does not. It is shown wherever the index is used, so that an incomplete index never passes
 *  for a complete one. */
import type { Message } from '../../contract/words/message.ts'
import type { IndexedFile, MissingFile } from './captureLines.ts'

/** The manifest as it is stored in a database. */
export interface Manifest {
  /** The whole archive is selected; `jobsAsked` are all jobs with files in the archive. */
  isAll: boolean
  jobsAsked: number[]
  /** Names of the selected files. */
  filesAsked: string[]
  /** Selected jobs with files in the archive. */
  jobsFound: number[]
  jobsMissing: number[]
  /** Files in the index, sorted by name. */
  files: IndexedFile[]
  /** Selected files that could not be read when the index was built. */
  filesMissing: MissingFile[]
}

/** The manifest with what could not be parsed. */
export interface Completeness extends Manifest {
  /** Records and index lines in the index's files that could not be parsed. What still has a URL is in the index all the same. */
  quarantined: { count: number; first: QuarantinedPlace[] }
}

/** A record or index line that could not be parsed. */
export interface QuarantinedPlace {
  file: string
  /** Offset of the record. Undefined if it is not known. */
  offset: number | undefined
  reason: Message
}
