/** What a revisit refers to. */

/** The response record of an earlier capture of the same address. */
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
