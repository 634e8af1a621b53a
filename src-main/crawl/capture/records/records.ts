/** The WARC records of one capture: response or revisit, request, metadata (WARC 1.1 sections 6.3, 6.7, 6.4 and 6.6),
 *  concurrent to each other. The response block is what crossed the wire, header bytes verbatim and transfer coding left on.
 *  Where an earlier run captured the very same, a revisit says so and holds the header alone. */
import { truncations } from '../../../contract/states/outcomes.ts'
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
import type { Answered } from '../fetch/fetch.ts'
import type { DocumentToFetch, Original } from '../../model/document.ts'
import type { CrawlSettings } from '../../model/limits.ts'

export interface CaptureRecords {
  /** The members in file order, the response or the revisit first. */
  response: Uint8Array[] | AsyncIterable<Uint8Array>
  others: Uint8Array[]
  /** Of what was seen, by the standard (WARC 1.1 section 6.3.2): what captures are compared by. Of a revisit, its original's. */
  payloadDigest: string
  /** As the record that holds the payload names it; another only where the setting wants that. */
  namedDigest: string
  count: number
  /** The record that holds the payload is this one, or an earlier one that it refers to. */
  kind: 'response' | 'revisit'
  /** Its WARC-Record-ID, without `urn:uuid:`. */
  id: string
}

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
  return { ...main, others: [request.bytes, metadata.bytes], count: 3, id }
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
      ...(answered.truncated ? [['WARC-Truncated', truncations[answered.truncated].field] as const] : []),
    ],
    contentType: 'application/http;msgtype=response',
    payload: { offset: head.bytes, digest: capture.digest },
  }
  // Digests are made before anything is compressed: what is the same as before is not compressed in vain.
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

/** Only of a 200 with a body: of anything else the header is what matters, and there is nothing to be saved. */
function isSame({ head, response, truncated }: Answered, payloadDigest: string, original: Original): boolean {
  const isWhole = truncated === undefined && head.status === 200 && original.status === 200
  return isWhole && response.bytes > head.bytes && payloadDigest === original.payloadDigest
}

/** WARC 1.1 sections 6.7.2 and 6.7.3. The digest is that of a payload which is not in the record, as section 5.9 allows.
 *  WARC 1.0 has neither address nor date of what is referred to; there the id and the digest lead to it. */
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
      // The body is left off because it is elsewhere: section 6.7.2 wants that said. A 304 has none.
      ...(profile === 'identical-payload-digest' ? [['WARC-Truncated', 'length'] as const] : []),
    ],
    contentType: 'application/http;msgtype=response',
    block: [await response.head(head.bytes)],
  })
  return { response: [bytes], payloadDigest, namedDigest, kind: 'revisit' }
}

export function member(record: RecordHeader & { block: Uint8Array[] }): Promise<WarcMember> {
  return warcMember(newRecord(record), 6)
}

/** Names as in WARC 1.1 section 6.6 (`via`, `hopsFromSeed`, `fetchTimeMs`); the rest is what a curator asks later. */
function metadataBlock(document: DocumentToFetch, answered: Answered): Uint8Array {
  const { security } = answered
  const lines = [
    ...(document.viaUrl === null ? [] : [`via: ${document.viaUrl}`]),
    `hopsFromSeed: ${document.hopPath}`,
    `fetchTimeMs: ${answered.durationMs}`,
    ...(document.said ?? []).map(({ name, value }) => `said-${name}: ${value.replace(/\s+/g, ' ')}`),
    ...(security === undefined
      ? []
      : [
          `tls: ${security.protocol} ${security.cipher}`,
          `tlsTrusted: ${security.trusted ? 'yes' : `no, ${security.problem ?? 'unknown reason'}`}`,
        ]),
    ...(answered.redacted?.length ? [`redacted: ${answered.redacted.join(', ')}`] : []),
    ...answered.findings.map(({ text }) => `oddity: ${text.replace(/\s+/g, ' ')}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8')
}
