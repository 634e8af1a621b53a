/** A document (one URL of one job) and its host, as the statements of the frontier return them to the other modules. */

/** A document whose turn has come. */
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
  /** The newest capture of its URL in other jobs, if `previous` is absent. */
  elsewhere?: KnownCapture
  /** Data that the documents linking to it pass on (`settle/carried/`). */
  inherited?: { name: string; value: string }[]
}

/** A document that was found outside the scope, with the document that led to it. */
export interface OutsideDocument extends Pick<DocumentToFetch, 'id' | 'role' | 'hops' | 'hopPath'> {
  document: number
  url: string
  /** Letter of the last hop, as in `hopLetter`. */
  kind: string
}

/** Role of a document; robots.txt is fetched before everything else of its host. */
export type Role = 'page' | 'requisite' | 'robots' | 'sitemap'

/** A host, with the columns that discovery needs. */
export interface FoundHost {
  id: number
  origin: string
  robotsState: 'UNKNOWN' | 'ALLOWED' | 'RULES' | 'UNREACHABLE'
}

/** A host with the text of its robots.txt, or the reason why it could not be read. */
export interface HostRow extends FoundHost {
  robotsText: string | null
}

/** An earlier capture with a record that a revisit may refer to. */
export interface KnownCapture extends Validators {
  original: Original
  place: CapturePlace
}

/** The last capture of a document in an earlier run. */
export interface PreviousCapture extends KnownCapture {
  firstMs: number
  checkedMs: number
  changeCount: number
}

/** The validators that the server sent, as it wrote them. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** Place of the record of a capture. */
export interface CapturePlace {
  fileName: string
  offset: number
}

/** The response record of an earlier capture, to which a revisit refers. */
export interface Original {
  /** Its WARC-Record-ID without `urn:uuid:`; '' if it has another form. */
  id: string
  /** Its URL; absent: that of the revisit. */
  url?: string
  /** Its WARC-Date. */
  ms: number
  status: number
  /** Digest as the WARC standard defines it: independent of how the server cut the body into chunks. */
  payloadDigest: string
  /** Digest in the record. A revisit contains the same one; otherwise its original could not be found. */
  namedDigest: string
}
