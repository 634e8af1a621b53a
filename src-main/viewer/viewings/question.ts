/** A request as it passes along the chain (`chain.ts`): who asks, in which view, and what the links have found so far. Each
 *  link answers it or passes it on. */
import type { Caller } from '../../contract/calls/caller.ts'
import type { Message } from '../../contract/words/message.ts'
import type { ViewerLink } from '../../contract/services/viewer.ts'
import type { Sight } from '../../access/access.ts'
import type { CaptureLookup, IndexedCapture, Moment, Source } from '../../indexes/indexes.ts'
import type { BrowserRequest, Reply } from '../model/reply.ts'
import type { Unreadable } from '../model/unreadable.ts'
import type { Shown, Viewing } from './viewings.ts'

/** A request with what the links need to answer it. */
export interface Question extends BrowserRequest {
  viewing: Viewing
  /** Who asks: the caller that opened the viewing, or who asks for an explanation. */
  caller: Caller
  /** The password of the proxy connection was the command token of the viewing. */
  hasCommandToken: boolean
  /** What the caller may see. `shown` has the rest of the view only. */
  sight: Sight
  /** Whether the view has captures for a lookup, and the caller may see none of them. */
  isHidden(asked: CaptureLookup): boolean
  /** The view, held open until the question is answered. Undefined: no view is open. */
  shown: Shown | undefined
  /** The moment of the view, or of the request's Accept-Datetime (RFC 7089 2.1.1). */
  moment: Moment
  /** Captures whose records could not be read. */
  unreadable: { capture: IndexedCapture; error: Unreadable }[]
  /** Captures outside the view. */
  otherCaptures: OtherCaptures
  /** Names of the rules in `fuzzyRules.ts` by which the capture of another URL was used. */
  inexact: readonly string[]
  /** Collects details for an explanation. Absent for requests of browsers. */
  trace?: Trace
}

/** A capture and the location of its record. */
export type Located = Pick<
  IndexedCapture,
  'url' | 'timestampMs' | 'job' | 'filename' | 'offset' | 'status' | 'recordType'
> &
  Partial<Pick<IndexedCapture, 'payloadDigest' | 'length'>>

/** Captures of a URL in the rest of the archive. */
export interface OtherCaptures {
  captures: Located[]
  /** Jobs that were not searched yet, because their index is still being built. */
  notSearched: Source[]
}

/** A capture that was considered. */
export interface Tried {
  capture: Located
  isUsed: boolean
  /** Why it could not be used. Null: it was used, or not needed. */
  why: Message | null
}

/** What an explanation collects. */
export interface Trace {
  steps: { link: ViewerLink; message: Message }[]
  candidates: Tried[]
  /** Captures in which the content of revisits and duplicates was looked for. */
  hops: Tried[]
}

/** A link of the chain. */
export interface Link {
  name: ViewerLink
  /** Answers the question, or passes it on with undefined. */
  answer: (question: Question) => Promise<Reply | undefined>
  /** Why the link passed the question on, for explanations. */
  whyPassed: (question: Question) => Message
}

/** A reply, and the link that gave it. */
export type Answered = Reply & { by: ViewerLink }
