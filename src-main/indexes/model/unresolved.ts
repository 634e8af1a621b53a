/** Revisits whose originals an index does not have, and the search for them in others. */
import type { IndexedCapture } from './indexedCapture.ts'

/** A revisit whose original is not in its own index. */
export interface Unresolved {
  url: string
  timestampMs: number
  /** Digest of its payload; not ''. */
  payloadDigest: string
  /** File and position of its record. */
  filename: string
  offset: number
}

/** Called with a revisit and its possible originals, best first, all of them with its payload. */
export type OnOriginals = (revisit: Unresolved, originals: IndexedCapture[]) => void

/** Searches. Other requests get a turn meanwhile. Rejects only with bugs. */
export type OriginalsElsewhere = (revisits: readonly Unresolved[], onOriginals: OnOriginals) => Promise<void>
