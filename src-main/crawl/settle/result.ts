/** The result of a document's turn, as the committer writes it. */
import type { Reason, Truncation } from '../../contract/states/outcomes.ts'
import type { FoundData } from './carried/inheritance.ts'
import type { Candidate } from '../frontier/frontier.ts'
import type { DocumentToFetch, HostRow, Validators } from '../model/document.ts'
import type { Attempt } from '../history/activities.ts'
import type { Outlink } from '../model/outlink.ts'
import type { CaptureRecords } from '../capture/records/records.ts'
import type { FailingOn } from './interruption.ts'

export type Result = {
  document: DocumentToFetch
  host: number
  robots?: { state: HostRow['robotsState']; text: string | null }
  /** The requests that led to it, for the history. */
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
      /** Null: the answer is whole. */
      truncated: Truncation | null
      fetchedMs: number
      durationMs: number
      detail: string | null
      /** ETag and Last-Modified; absent for local resources. */
      validators?: Validators
      candidates: Candidate[]
      /** All that it leads to, where hops are counted. Absent: as it was when it was last read. */
      links?: readonly Outlink[]
      /** What names the state that it was taken in; null: as it was listed. */
      capturedVersion?: string | null
      /** What it says of those that it leads to. Absent: as it was when it was last read. */
      carried?: FoundData[]
      release(): Promise<void>
    }
  /** Unchanged since an earlier run; it was not requested. */
  | { kind: 'unchanged'; candidates: Candidate[] }
  | { kind: 'ended'; outcome: 'failed' | 'excluded'; reason: Reason; detail: string; durationMs: number | null }
  /** The delay counts from the commit, since a due time computed earlier may be wrong after a change of the clock. */
  | { kind: 'postponed'; delayMs: number; attempted: boolean; failing?: FailingOn }
)
