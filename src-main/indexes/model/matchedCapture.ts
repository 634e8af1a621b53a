/** A capture that a search has found. */
export interface MatchedCapture {
  url: string
  timestampMs: number
  /** Where its record is. */
  filename: string
  offset: number
}
