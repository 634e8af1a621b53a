/** The WARC records of one capture: response or revisit, request, metadata (WARC 1.1 sections 6.3, 6.7, 6.4 and 6.6),
 *  concurrent to each other. The response block holds the bytes as received: the header verbatim, the transfer coding not
 *  removed. If an earlier run captured the same payload, a revisit record with the header alone refers to it. */
import { truncationFields } from '../../../contract/states/outcomes.ts'
import type { UnplacedCapture } from '../../../formats/cdx/capture.ts'
import { captureOfResponse } from '../../../formats/cdx/writtenCapture.ts'
import { levelFor } from '../../../formats/packing/gzip.ts'
import { fieldOf } from '../../../formats/http/http.ts'
import {
  newRecord,
  warcMember,
  warcMemberStreamed,
  type RecordHeader,
  type WarcMember,
} from '../../../formats/records/warcWriter.ts'
import type { World } from '../../../world/world.ts'
import type { Answered } from '../fetch/outcome.ts'
import type { DocumentToFetch, Original } from '../../model/document.ts'
import type { CrawlSettings } from '../../model/limits.ts'
import { textOf } from '../../../contract/words/render.ts'

/** The compressed records of one capture, ready to be appended to a file: `response` first, then `others`. */
export interface CaptureRecords {
  /** The gzip member of the main record (response, revisit or resource), in chunks. */
  response: Uint8Array[] | AsyncIterable<Uint8Array>
  /** The gzip members of the other records, in file order. */
  others: Uint8Array[]
  /** Digest of the payload as the standard defines it (WARC 1.1 section 6.3.2), by which captures are compared. For a revisit,
   *  the digest of its original. */
  payloadDigest: string
  /** The digest in the header of the record that holds the payload; differs from `payloadDigest` only if the setting asks for it. */
  namedDigest: string
  /** Number of records. */
  count: number
  /** Whether this record holds the payload, or an earlier one that it refers to. */
  kind: 'response' | 'revisit'
  /** The WARC-Record-ID of the main record, without `urn:uuid:`. */
  id: string
  /** The main record as the index of its file describes it; null if it is not written to a file. */
  capture: UnplacedCapture | null
}

/** Builds the records of an answer over HTTP. `original` is the earlier capture that a revisit may refer to. */
export async function recordsOf(
  { world, settings }: { world: World; settings: Pick<CrawlSettings, 'warcVersion' | 'payloadDigest'> },
  document: DocumentToFetch,
  answered: Answered,
  original?: Original,
): Promise<CaptureRecords> {
  const id = world.chance.uuid()
  const concurrent: [string, string][] = [['WARC-Concurrent-To', `<urn:uuid:${id}>`]]
  const capture: Capture = {
    id,
    version: settings.warcVersion,
    digest: settings.payloadDigest,
    dateMs: answered.startedMs,
    target: [['WARC-Target-URI', document.url]],
    address: answered.remoteAddress === '' ? [] : [['WARC-IP-Address', answered.remoteAddress]],
  }
  const base = { version: capture.version, dateMs: capture.dateMs }
  const [main, request, metadata] = await Promise.all([
    mainRecord(capture, answered, original),
    member({
      ...base,
      type: 'request',
      id: world.chance.uuid(),
      fields: [...capture.target, ...capture.address, ...concurrent],
      contentType: 'application/http;msgtype=request',
      block: [answered.request],
    }),
    member({
      ...base,
      type: 'metadata',
      id: world.chance.uuid(),
      fields: [...capture.target, ...concurrent],
      contentType: 'application/warc-fields',
      block: [metadataBlock(document, answered)],
    }),
  ])
  const { kind, namedDigest } = main
  const indexed = captureOfResponse({
    ...{ url: document.url, dateMs: capture.dateMs, recordType: kind, payloadDigest: namedDigest },
    ...{ head: answered.head, request: answered.request },
  })
  return { ...main, others: [request.bytes, metadata.bytes], count: 3, id, capture: indexed }
}

interface Capture {
  id: string
  version: CrawlSettings['warcVersion']
  digest: CrawlSettings['payloadDigest']
  dateMs: number
  target: [string, string][]
  address: [string, string][]
}

type Main = Pick<CaptureRecords, 'response' | 'payloadDigest' | 'namedDigest' | 'kind'>

async function mainRecord(capture: Capture, answered: Answered, original: Original | undefined): Promise<Main> {
  const { head, response } = answered
  if (original && head.status === 304) return revisit('server-not-modified', capture, answered, original)
  const level = levelFor(fieldOf(head, 'content-type') ?? '', fieldOf(head, 'content-encoding') ?? '')
  const header: RecordHeader = {
    ...{ version: capture.version, dateMs: capture.dateMs, id: capture.id, type: 'response' },
    fields: [
      ...capture.target,
      ...capture.address,
      ...(answered.truncated ? [['WARC-Truncated', truncationFields[answered.truncated]] as const] : []),
    ],
    contentType: 'application/http;msgtype=response',
    payload: { offset: head.bytes, digest: capture.digest },
  }
  // Digests are computed before compression, so that an unchanged payload is not compressed needlessly.
  const made = response.memory
    ? newRecord({ ...header, block: response.memory })
    : await warcMemberStreamed({ ...header, blockBytes: response.bytes, block: () => response.read() }, level)
  const { standardDigest: payloadDigest, payloadDigest: namedDigest } = made
  if (payloadDigest === undefined || namedDigest === undefined)
    throw new Error('a response record has a payload digest')
  if (original && isSame(answered, payloadDigest, original))
    return revisit('identical-payload-digest', capture, answered, original)
  const bytes = 'block' in made ? [(await warcMember(made, level)).bytes] : made.chunks
  return { response: bytes, payloadDigest, namedDigest, kind: 'response' }
}

/** Whether a revisit can replace the response: only for a complete 200 with a body. Other answers matter for their header, and
 *  a revisit would save nothing. */
function isSame({ head, response, truncated }: Answered, payloadDigest: string, original: Original): boolean {
  const isWhole = truncated === undefined && head.status === 200 && original.status === 200
  return isWhole && response.bytes > head.bytes && payloadDigest === original.payloadDigest
}

/** Builds a revisit record (WARC 1.1 sections 6.7.2 and 6.7.3). The digest is that of a payload which is not in the record, as
 *  section 5.9 allows. WARC 1.0 has no fields for the URI and the date of the original; there the id and the digest identify it. */
async function revisit(
  profile: 'identical-payload-digest' | 'server-not-modified',
  capture: Capture,
  { head, response }: Answered,
  original: Original,
): Promise<Main> {
  const { version, target } = capture
  const { payloadDigest, namedDigest } = original
  const place: [string, string][] =
    version === '1.0'
      ? []
      : [
          ['WARC-Refers-To-Target-URI', target[0]?.[1] ?? ''],
          ['WARC-Refers-To-Date', new Date(original.ms).toISOString()],
        ]
  const { bytes } = await member({
    ...{ version, dateMs: capture.dateMs, id: capture.id, type: 'revisit' },
    fields: [
      ...target,
      ...capture.address,
      ['WARC-Profile', `http://netpreserve.org/warc/${version}/revisit/${profile}`],
      ['WARC-Refers-To', `<urn:uuid:${original.id}>`],
      ...place,
      ['WARC-Payload-Digest', namedDigest],
      // Section 6.7.2 requires this field where the body is omitted. A 304 has no body.
      ...(profile === 'identical-payload-digest' ? [['WARC-Truncated', 'length'] as const] : []),
    ],
    contentType: 'application/http;msgtype=response',
    block: [await response.head(head.bytes)],
  })
  return { response: [bytes], payloadDigest, namedDigest, kind: 'revisit' }
}

/** A record as a gzip member, for blocks held in memory. */
export function member(record: RecordHeader & { block: Uint8Array[] }): Promise<WarcMember> {
  return warcMember(newRecord(record), 6)
}

/** Block of the metadata record. `via`, `hopsFromSeed` and `fetchTimeMs` are named as in WARC 1.1 section 6.6; the other fields
 *  are Loupe's, for curators. */
function metadataBlock(document: DocumentToFetch, answered: Answered): Uint8Array {
  const { security } = answered
  const lines = [
    ...(document.viaUrl === null ? [] : [`via: ${document.viaUrl}`]),
    `hopsFromSeed: ${document.hopPath}`,
    `fetchTimeMs: ${answered.durationMs}`,
    ...(document.inherited ?? []).map(({ name, value }) => `inherited-${name}: ${value.replace(/\s+/g, ' ')}`),
    ...(security === undefined
      ? []
      : [
          `tls: ${security.protocol} ${security.cipher}`,
          `tlsTrusted: ${security.trusted ? 'yes' : `no, ${security.problem ?? 'unknown reason'}`}`,
        ]),
    ...(answered.redacted?.length ? [`redacted: ${answered.redacted.join(', ')}`] : []),
    ...answered.findings.map(({ message }) => `oddity: ${textOf(message).replace(/\s+/g, ' ')}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8')
}
