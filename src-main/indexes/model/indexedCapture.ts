/** A capture as the index of a selection gives it. */
import type { Capture } from '../../formats/cdx/capture.ts'

export interface IndexedCapture extends Capture {
  /** Null: its file belongs to none. */
  readonly job: number | null
  /** Only with the type 'duplicate': what its crawl log says. `filename` and `offset` are those of the original. */
  readonly duplicate?: DuplicateOf
}

export interface DuplicateOf {
  /** The archive file that has the crawl log. */
  log: string
  /** Of the original: its URL, and when it was captured, where the log says so. */
  url: string
  timestampMs: number | undefined
}
