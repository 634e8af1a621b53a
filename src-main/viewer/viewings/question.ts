/** What passes along the chain of the viewer (`chain.ts`): a browser's request, with whose view it is asked of and what the links
 *  have found out so far. A link answers it or passes it on. */
import type { ViewerLink } from '../../contract/services/viewer.ts'
import type { IndexedCapture, Moment, Source } from '../../indexes/indexes.ts'
import type { BrowserRequest, Reply } from '../model/reply.ts'
import type { Unreadable } from '../model/unreadable.ts'
import type { Shown, Viewing } from './viewings.ts'

export interface Question extends BrowserRequest {
  viewing: Viewing
  /** The proxy connection gave the command token of the viewing as its password. */
  hasCommandToken: boolean
  /** What it shows; undefined: nothing has been chosen. Held open until the question is answered. */
  shown: Shown | undefined
  /** Of the view, or of the request's own Accept-Datetime (RFC 7089 2.1.1). */
  moment: Moment
  /** Captures that the index lists and the archive does not give. */
  unreadable: { capture: IndexedCapture; error: Unreadable }[]
  /** Captures that are not in the view. */
  otherCaptures: OtherCaptures
  /** Of `fuzzyRules.ts`: by which another address answers. */
  inexact: readonly string[]
  /** For whoever asks why; absent in a viewing. */
  trace?: Trace
}

/** A capture, and where it lies. */
export type Located = Pick<
  IndexedCapture,
  'url' | 'timestampMs' | 'job' | 'filename' | 'offset' | 'status' | 'recordType'
> &
  Partial<Pick<IndexedCapture, 'payloadDigest' | 'length'>>

/** What the rest of the archive has. */
export interface OtherCaptures {
  captures: Located[]
  /** Into which nobody could look yet. */
  notSearched: Source[]
}

/** Of a capture that was looked at. */
export interface Tried {
  capture: Located
  isUsed: boolean
  /** Why it is of no use; null: it was used, or not needed. */
  why: string | null
}

export interface Trace {
  steps: { link: ViewerLink; text: string }[]
  candidates: Tried[]
  /** Where the content of revisits was looked for. */
  hops: Tried[]
}

export interface Link {
  name: ViewerLink
  /** Undefined: it passes on. */
  answer: (question: Question) => Promise<Reply | undefined>
  /** What it had to say when it passed on, for whoever asks why. */
  whyPassed: (question: Question) => string
}

export type Answered = Reply & { by: ViewerLink }
