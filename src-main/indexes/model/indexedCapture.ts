/** A capture as a capture index returns it. */
import type { Capture } from '../../formats/cdx/capture.ts'

/** A capture with the archive file that has it. */
export interface IndexedCapture extends Capture {
  /** The job of its file. Null: the file belongs to no job. */
  readonly job: number | null
  /** For the record type 'duplicate', what the crawl log says. `filename` and `offset` are then those of the original. */
  readonly duplicate?: DuplicateOf
}

/** Where the duplicate was logged, and its original. */
export interface DuplicateOf {
  /** The archive file that contains the crawl log. */
  log: string
  /** URL of the original, and when it was captured if the log says so. */
  url: string
  timestampMs: number | undefined
}
