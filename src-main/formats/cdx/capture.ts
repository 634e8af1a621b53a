/** A record as described in an index. Records are read in captures.ts, lines are written in cdxj.ts and
 *  cdxColumns.ts; sorting and lookup are in indexes. */

/** One entry of an index. */
export interface Capture {
  /** The SURT of `url`, with the request folded in when it was not a GET and the option `post` is set. */
  key: string
  timestampMs: number
  /** Empty for a record without one; only a `warcinfo` may have none, and it is listed only when its type was
   *  requested. */
  url: string
  /** Media type from the archived head, without parameters; `warc/revisit` for revisits; empty when unknown. */
  mediaType: string
  status: number | undefined
  /** `sha1:` and base32; empty for a revisit that does not state it. */
  payloadDigest: string
  offset: number
  /** Length in the file in bytes, compressed or not; 0 when unknown. */
  length: number
  filename: string
  recordType: CaptureType
  /** Method of the request in capitals, when it was not a GET. */
  method?: string
  /** The request body as folded into the key, before canonicalisation; empty for a request without a body. */
  requestBody?: string
  /** `sha256:` and hexadecimal digits, over the record's bytes as stored in the file. */
  recordDigest?: string
  /** Requested additional fields, under the names of cdxj-indexer. */
  fields?: Record<string, string>
}

/** A capture whose record has no place in a file yet. */
export type UnplacedCapture = Omit<Capture, 'offset' | 'length' | 'filename'>

/** Record types that are the content of a URL: an index lists these by default. */
export const answeringTypes = ['response', 'revisit', 'resource'] as const
export const captureTypes = [...answeringTypes, 'metadata', 'conversion', 'request', 'warcinfo'] as const
/** `duplicate` is not a record but a line in a crawl log that names the record with its content
 *  (`formats/logs/duplicates.ts`). An index lists it with the offset of that record. */
export type CaptureType = (typeof captureTypes)[number] | 'duplicate'

/** Value of `mediaType` for revisits. */
export const revisitMediaType = 'warc/revisit'

/** Returns the media type of a Content-Type field without parameters; empty when there is no field. */
export function mediaTypeOf(contentType: string | undefined): string {
  if (contentType === undefined) return ''
  const text = contentType.trim()
  const end = text.search(/[;\s,]/)
  return end < 0 ? text : text.slice(0, end)
}
