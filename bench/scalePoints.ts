/** What is measured at one size of a scale curve. */

/** The queue with `size` URLs. */
export interface QueuePoint {
  size: number
  hosts: number
  /** Rate at which new URLs were added until `size` was reached. */
  addedPerSecond: number
  /** Documents that are taken and settled with their links. */
  documentsPerSecond: number
  /** Time of a commit of sixteen documents with 200 links each, with handing them out. */
  commitMs: number
  commitMsP99: number
  /** Time to refill the ready buffer. */
  refillMs: number
  peakBytes: number
  /** Size of the database. */
  diskBytes: number
}

/** An index of `size` captures. */
export interface CapturesPoint {
  size: number
  /** Rate at which the index was built from lines. */
  capturesPerSecond: number
  /** Time to find the capture of a URL that is nearest to a moment, in microseconds. */
  lookupUs: number
  lookupUsP99: number
  peakBytes: number
  diskBytes: number
}
