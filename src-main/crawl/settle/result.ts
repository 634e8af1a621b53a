/** The result of a document's turn, as the committer writes it. */
import type { Detail } from '../model/detail.ts'
import type { Reason, Truncation } from '../../contract/states/outcomes.ts'
import type { FoundData } from './carried/inheritance.ts'
import type { Candidate } from '../frontier/candidate.ts'
import type { DocumentToFetch, HostRow, Validators } from '../model/document.ts'
import type { Attempt } from '../history/activities.ts'
import type { Outlink } from '../model/outlink.ts'
import type { CaptureRecords } from '../capture/records/records.ts'
import type { FailingOn } from './interruption.ts'

/** What a turn decided about its document, and what the committer has to write for it. */
export type Result = {
  document: DocumentToFetch
  /** Id of the host. */
  host: number
  /** The rules of the host, after its robots.txt was requested. */
  robots?: { state: HostRow['robotsState']; text: string | null }
  /** The requests that led to the result, for the history. */
  attempts?: readonly Attempt[]
} & (
  | {
      kind: 'fetched'
      records: CaptureRecords
      /** HTTP status; null for local resources. */
      status: number | null
      mediaType: string | null
      bytes: number
      /** Bytes without the HTTP header. */
      contentBytes: number
      /** Null: the answer is complete. */
      truncated: Truncation | null
      fetchedMs: number
      durationMs: number
      detail: Detail | null
      /** ETag and Last-Modified; absent for local resources. */
      validators?: Validators
      candidates: Candidate[]
      /** All links of the document, if hops are counted. Absent: unchanged since it was last read. */
      links?: readonly Outlink[]
      /** Version of the document in which it was captured; null: the listed version. */
      capturedVersion?: string | null
      /** Data about the documents it links to. Absent: unchanged since it was last read. */
      carried?: FoundData[]
      /** Removes the spooled body. Called after the commit, whether or not it succeeded. */
      release(): Promise<void>
    }
  /** Unchanged since an earlier run; the document was not requested. */
  | { kind: 'unchanged'; candidates: Candidate[] }
  | { kind: 'ended'; outcome: 'failed' | 'excluded'; reason: Reason; detail: Detail; durationMs: number | null }
  /** The delay counts from the commit, since a due time computed earlier may be wrong after a change of the clock. */
  | { kind: 'postponed'; delayMs: number; attempted: boolean; failing?: FailingOn }
)

/** Bytes of the answer that a result holds. */
export function bytesOf(result: Result): number {
  return result.kind === 'fetched' ? result.bytes : 0
}
