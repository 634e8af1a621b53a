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
  /** Its last capture in an earlier run. */
  previous?: PreviousCapture
  /** Data that the documents linking to it hand down (`settle/carried/`). */
  said?: { name: string; value: string }[]
}

/** A document that was found outside the scope, and what led to it. */
export interface OutsideDocument extends Pick<DocumentToFetch, 'id' | 'role' | 'hops' | 'hopPath'> {
  document: number
  url: string
  /** Letter of the last hop, as in `hopLetter`. */
  kind: string
}

export type Role = 'page' | 'requisite' | 'robots' | 'sitemap'

/** A host, as code that finds one of its URLs knows it. */
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
  /** Digest as the WARC standard defines it: independent of how the server cut the body into chunks. */
  payloadDigest: string
  /** Digest as the record names it. A revisit names the same one, or its original could not be found. */
  namedDigest: string
}
