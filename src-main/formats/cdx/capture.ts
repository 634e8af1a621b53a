/** What an index knows of a record. Deliberately not here: how records are read for it (captures.ts), the forms of lines
 *  (cdxj.ts, cdxColumns.ts), sorting and lookup (see indexes). */

export interface Capture {
  /** The surt of `url`, with the request folded in where it was not a GET and that was wanted. */
  key: string
  timestampMs: number
  /** Empty for a record that has none; only a `warcinfo` may, and it is listed only where all records are. */
  url: string
  /** As the archived head says, without parameters; `warc/revisit` for revisits; empty when unknown. */
  mediaType: string
  status: number | undefined
  /** `sha1:` and base32; empty for a revisit that does not tell. */
  payloadDigest: string
  offset: number
  /** In the file, packed as it is; 0 when not known. */
  length: number
  filename: string
  recordType: CaptureType
  /** The request was no GET: its method, in capitals. */
  method?: string
  /** As it stands in the key, before that was canonicalised; empty for a request without a body. */
  requestBody?: string
  /** `sha256:` and hexadecimal, of the record's bytes in the file, packed as they are. */
  recordDigest?: string
  /** Other fields of the record that were asked for, by the names that cdxj-indexer has for them. */
  fields?: Record<string, string>
}

/** Those that answer for their address: without being asked for, an index has these. */
export const answeringTypes = ['response', 'revisit', 'resource'] as const
export const captureTypes = [...answeringTypes, 'metadata', 'conversion', 'request', 'warcinfo'] as const
/** `duplicate`: no record of its own, but a line in a crawl log that names the record which has its content (`formats/logs/duplicates.ts`).
 *  An index lists it with the place of that record. */
export type CaptureType = (typeof captureTypes)[number] | 'duplicate'

export const revisitMediaType = 'warc/revisit'
