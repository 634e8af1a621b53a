/** What a revisit refers to. */

/** The response record of an earlier capture of the same address. */
export interface Original {
  id: string
  /** Its WARC-Date. */
  ms: number
  status: number
  payloadDigest: string
}
