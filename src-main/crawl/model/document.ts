/** A document (one URL of one job) and its host, as the statements of the frontier return them to every room above. */

export interface DocumentToFetch {
  id: number
  url: string
  role: Role
  hopPath: string
  hops: number
  viaId: number | null
  viaUrl: string | null
  attempts: number
  /** What was captured of it before. */
  previous?: PreviousCapture
  /** What those that lead to it say of it (`carried/`). */
  said?: { name: string; value: string }[]
}

/** A document that was found outside the scope, and what led to it. */
export interface OutsideDocument extends Pick<DocumentToFetch, 'id' | 'role' | 'hops' | 'hopPath'> {
  document: number
  url: string
  /** The letter of the hop. */
  kind: string
}

export type Role = 'page' | 'requisite' | 'robots' | 'sitemap'

/** A host as those know it who find something of it. */
export interface FoundHost {
  id: number
  origin: string
  robotsState: 'UNKNOWN' | 'ALLOWED' | 'RULES' | 'UNREACHABLE'
}

/** With the text of its robots.txt, or the reason why it could not be read. */
export interface HostRow extends FoundHost {
  robotsText: string | null
}

/** The last capture of a document in an earlier run. */
export interface PreviousCapture extends Validators {
  original: Original
  place: CapturePlace
  firstMs: number
  checkedMs: number
  changeCount: number
}

/** What the server called a representation, in its own spelling. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** Where the record of a capture lies. */
export interface CapturePlace {
  fileName: string
  offset: number
}

/** The response record of an earlier capture of the same URL: what a revisit refers to. */
export interface Original {
  id: string
  /** Its WARC-Date. */
  ms: number
  status: number
  /** By the standard, which does not depend on how the server cut the body into chunks. */
  payloadDigest: string
  /** As the record names it: a revisit has the same, or its original would not be found by it. */
  namedDigest: string
}
