/** What fetching a document can yield: an answer of a server, a local resource, or a failure. `settle/attempt.ts` decides what it
 *  means for the document. */
import type { Detail } from '../../model/detail.ts'
import type { Reason, Truncation } from '../../../contract/states/outcomes.ts'
import type { HttpHead } from '../../../formats/http/http.ts'
import type { Finding } from '../../../formats/rules/finding.ts'
import type { Security } from '../../../world/world.ts'
import type { Outlink } from '../../model/outlink.ts'
import type { EarlierCapture } from './earlierCapture.ts'
import type { Spool } from './spool.ts'

/** A server answered, with a complete header at least. */
export interface Answered {
  kind: 'answered'
  head: HttpHead
  request: Uint8Array
  /** The fields whose values were redacted in request and answer before recording. */
  redacted?: readonly string[]
  /** The answer from the first byte of its status line, transfer coding included. */
  response: Spool
  /** Why the answer is incomplete; undefined if it is whole. */
  truncated: Truncation | undefined
  /** The earlier capture of a document that the server reports as unchanged (304). Only then the answer is about that capture: a 304
   *  without it answers a request without conditions, and is recorded like any other answer. */
  earlier?: EarlierCapture
  remoteAddress: string
  security: Security | undefined
  startedMs: number
  durationMs: number
  findings: Finding[]
}

/** A resource that came from no server: a file as it was on the disk, or the list of a folder. */
export interface LocalResource {
  kind: 'local'
  mediaType: string
  response: Spool
  /** Time of the last change; null if unknown. */
  modifiedMs: number | null
  /** Identifies the state of the resource, to detect changes; null if there is no such identifier. */
  version: string | null
  outlinks: Outlink[]
  /** Which parts could not be read; null if none. */
  detail: Detail | null
  startedMs: number
  durationMs: number
}

/** An outcome that can be archived. */
export type Captured = Answered | LocalResource

/** No answer that could be archived; `detail` is the cause, for the user. */
export interface Failed {
  kind: 'failed'
  reason: Reason
  detail: Detail
  startedMs: number
  durationMs: number
}

/** Outcome of one HTTP request. */
export type HttpOutcome = Answered | Failed
/** Outcome of fetching a document from any source. */
export type FetchOutcome = Captured | Failed
