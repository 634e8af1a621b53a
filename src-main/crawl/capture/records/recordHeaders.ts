/** Headers of the main record of a capture: a response, or a revisit of an earlier one. */
import { truncationFields } from '../../../contract/states/outcomes.ts'
import type { RecordHeader } from '../../../formats/records/warcWriter.ts'
import type { Answered } from '../fetch/outcome.ts'
import type { KnownCapture } from '../../model/document.ts'
import type { CrawlSettings } from '../../model/limits.ts'

/** What the records of one capture have in common. */
export interface RecordedCapture {
  /** The WARC-Record-ID of the main record, without `urn:uuid:`. */
  id: string
  version: CrawlSettings['warcVersion']
  digest: CrawlSettings['payloadDigest']
  dateMs: number
  target: [string, string][]
  /** The address of the server; empty if it is unknown. */
  address: [string, string][]
}

/** Returns the header of a response record (WARC 1.1 section 6.3). */
export function responseHeader(capture: RecordedCapture, { head, truncated }: Answered): RecordHeader {
  return {
    ...{ version: capture.version, dateMs: capture.dateMs, id: capture.id, type: 'response' },
    fields: [
      ...capture.target,
      ...capture.address,
      ...(truncated ? [['WARC-Truncated', truncationFields[truncated]] as const] : []),
    ],
    contentType: 'application/http;msgtype=response',
    payload: { offset: head.bytes, digest: capture.digest },
  }
}

/** Whether a revisit can replace the response if the payload is the same: only for a complete 200 with a body. Other answers matter for
 *  their header, and a revisit would save nothing. */
export function mayBeRevisit({ head, response, truncated }: Answered): boolean {
  return truncated === undefined && head.status === 200 && response.bytes > head.bytes
}

/** Returns the header of a revisit record (WARC 1.1 sections 6.7.2 and 6.7.3). The digest is that of a payload which is not in the record,
 *  as section 5.9 allows. WARC 1.0 has no fields for the URI and the date of the original; there the id and the digest identify it. File and
 *  offset of the original are in the extension fields that Heritrix 3 writes, so that no index is needed to find it. */
export function revisitHeader(
  profile: 'identical-payload-digest' | 'server-not-modified',
  { id, version, dateMs, target, address }: RecordedCapture,
  { original, place }: KnownCapture,
): RecordHeader {
  const named: [string, string][] =
    version === '1.0'
      ? []
      : [
          ['WARC-Refers-To-Target-URI', original.url ?? target[0]?.[1] ?? ''],
          ['WARC-Refers-To-Date', new Date(original.ms).toISOString()],
        ]
  return {
    ...{ version, dateMs, id, type: 'revisit' },
    fields: [
      ...target,
      ...address,
      ['WARC-Profile', `http://netpreserve.org/warc/${version}/revisit/${profile}`],
      ...(original.id === '' ? [] : [['WARC-Refers-To', `<urn:uuid:${original.id}>`] as const]),
      ...named,
      ['WARC-Refers-To-Filename', place.fileName],
      ['WARC-Refers-To-File-Offset', String(place.offset)],
      ['WARC-Payload-Digest', original.namedDigest],
      // Section 6.7.2 requires this field where the body is omitted. A 304 has no body.
      ...(profile === 'identical-payload-digest' ? [['WARC-Truncated', 'length'] as const] : []),
    ],
    contentType: 'application/http;msgtype=response',
  }
}
