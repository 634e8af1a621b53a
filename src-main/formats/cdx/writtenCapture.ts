/** The captures of records that are being written, equal to what `captures.ts` reads from the finished file. A writer that knows them need
 *  not read its file again: on two cores, that reading took a sixth of the time of a harvest. */
import { fieldOf, parseRequestHead, type HttpHead } from '../http/http.ts'
import { mediaTypeOf, revisitMediaType, type UnplacedCapture } from './capture.ts'
import { namedDigest } from './indexDigest.ts'
import { foldRequest, requestBodyBytesMax } from './postKey.ts'
import { surt } from './surt.ts'

/** A response or revisit record, with the request that was answered. */
export interface WrittenResponse {
  url: string
  /** WARC-Date. */
  dateMs: number
  recordType: 'response' | 'revisit'
  /** WARC-Payload-Digest. */
  payloadDigest: string
  head: HttpHead
  /** The request as sent: head and body. */
  request: Uint8Array
}

/** Returns the capture of a response or revisit. A request other than GET is folded into its key. */
export function captureOfResponse({
  url,
  dateMs,
  recordType,
  payloadDigest,
  head,
  request,
}: WrittenResponse): UnplacedCapture {
  const capture = {
    ...{ key: '', timestampMs: dateMs, url, recordType, status: head.status },
    mediaType: recordType === 'revisit' ? revisitMediaType : mediaTypeOf(fieldOf(head, 'content-type')),
    payloadDigest: namedDigest(payloadDigest) ?? '',
  }
  const folded = foldedInto(url, request)
  return folded ? { ...capture, ...folded } : { ...capture, key: surt(url) }
}

/** Returns the capture of a resource record. */
export function captureOfResource(record: {
  url: string
  dateMs: number
  contentType: string
  payloadDigest: string
}): UnplacedCapture {
  const { url, dateMs, contentType, payloadDigest } = record
  return {
    ...{ key: surt(url), timestampMs: dateMs, url, recordType: 'resource', status: undefined },
    ...{ mediaType: mediaTypeOf(contentType), payloadDigest: namedDigest(payloadDigest) ?? '' },
  }
}

const get = Buffer.from('GET ')

/** Returns key, method and body of a request other than GET; undefined for a GET. */
function foldedInto(
  url: string,
  request: Uint8Array,
): Pick<UnplacedCapture, 'key' | 'method' | 'requestBody'> | undefined {
  if (get.equals(request.subarray(0, get.length))) return undefined
  const head = parseRequestHead(request)?.head
  if (!head || head.method.toUpperCase() === 'GET') return undefined
  const { url: key, requestBody } = foldRequest({
    ...{ url, method: head.method, contentType: fieldOf(head, 'content-type') },
    lengthField: fieldOf(head, 'content-length'),
    body: request.subarray(head.bytes, head.bytes + requestBodyBytesMax),
  })
  return { key: surt(key), method: head.method.toUpperCase(), requestBody }
}
