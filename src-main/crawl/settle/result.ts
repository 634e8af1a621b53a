/** What became of a document in its turn: what the committer writes down. */
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
      /** Null where nobody spoke HTTP. */
      status: number | null
      mediaType: string | null
      bytes: number
      /** Of them: without the HTTP header. */
      contentBytes: number
      /** Null: the answer is whole. */
      truncated: Truncation | null
      fetchedMs: number
      durationMs: number
      detail: string | null
      /** What the server called it; absent where nobody spoke HTTP. */
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
  /** As it was taken in an earlier run: nobody was asked. */
  | { kind: 'unchanged'; candidates: Candidate[] }
  | { kind: 'ended'; outcome: 'failed' | 'excluded'; reason: Reason; detail: string; durationMs: number | null }
  /** From the moment in which it is written down: a moment that was computed before may be one of a clock that was set since. */
  | { kind: 'postponed'; delayMs: number; attempted: boolean; failing?: FailingOn }
)
