/** The WARC records of one capture: response or revisit, request, metadata (WARC 1.1 sections 6.3, 6.7, 6.4 and 6.6),
 *  concurrent to each other. The response block holds the bytes as received: the header verbatim, the transfer coding not
 *  removed. If an earlier run or job captured the same payload, a revisit record with the header refers to it, by default alone. */
import type { UnplacedCapture } from '../../../formats/cdx/capture.ts'
import { captureOfResponse } from '../../../formats/cdx/writtenCapture.ts'
import { levelFor } from '../../../formats/packing/gzip.ts'
import { fieldOf } from '../../../formats/http/http.ts'
import type { World } from '../../../world/world.ts'
import type { Answered } from '../fetch/outcome.ts'
import type { DocumentToFetch, KnownCapture } from '../../model/document.ts'
import type { CrawlSettings } from '../../model/limits.ts'
import { textOf } from '../../../contract/words/render.ts'
import { mayBeRevisit, responseHeader, revisitHeader, type RecordedCapture } from './recordHeaders.ts'
import { streamedMembers, type BlockRecord, type RecordWork, type Revisit } from './recordMembers.ts'

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
  /** What a revisit refers to. */
  known?: KnownCapture
  /** The WARC-Record-ID of the main record, without `urn:uuid:`. */
  id: string
  /** The main record as the index of its file describes it; null if it is not written to a file. */
  capture: UnplacedCapture | null
}

/** Parameters of the records of a job. */
export interface RecordsSetting {
  world: World
  settings: Pick<CrawlSettings, 'warcVersion' | 'payloadDigest' | 'revisitRecords'>
  /** Makes the records whose blocks are in memory. */
  bodies: RecordWork
}

/** Builds the records of an answer over HTTP. `known` is the earlier capture that a revisit may refer to. */
export async function recordsOf(
  { world, settings, bodies }: RecordsSetting,
  document: DocumentToFetch,
  answered: Answered,
  known?: KnownCapture,
): Promise<CaptureRecords> {
  const capture: RecordedCapture = {
    id: world.chance.uuid(),
    version: settings.warcVersion,
    digest: settings.payloadDigest,
    dateMs: answered.startedMs,
    target: [['WARC-Target-URI', document.url]],
    address: answered.remoteAddress === '' ? [] : [['WARC-IP-Address', answered.remoteAddress]],
  }
  const others = otherRecords(world, capture, document, answered)
  const isRevisitAlone = settings.revisitRecords === 'alone'
  const made = await madeRecords({ capture, answered, known, others, isRevisitAlone }, bodies)
  const indexed = captureOfResponse({
    ...{ url: document.url, dateMs: capture.dateMs, recordType: made.kind, payloadDigest: made.namedDigest },
    ...{ head: answered.head, request: answered.request },
  })
  return { ...made, count: 1 + made.others.length, id: capture.id, capture: indexed }
}

/** The request and the metadata. */
function otherRecords(
  world: World,
  { id, version, dateMs, target, address }: RecordedCapture,
  document: DocumentToFetch,
  answered: Answered,
): BlockRecord[] {
  const concurrent: [string, string][] = [['WARC-Concurrent-To', `<urn:uuid:${id}>`]]
  return [
    {
      ...{ version, dateMs, type: 'request', id: world.chance.uuid() },
      fields: [...target, ...address, ...concurrent],
      contentType: 'application/http;msgtype=request',
      block: [answered.request],
    },
    {
      ...{ version, dateMs, type: 'metadata', id: world.chance.uuid() },
      fields: [...target, ...concurrent],
      contentType: 'application/warc-fields',
      block: [metadataBlock(document, answered)],
    },
  ]
}

type Made = Pick<CaptureRecords, 'response' | 'others' | 'payloadDigest' | 'namedDigest' | 'kind' | 'known'>

interface ToMake {
  capture: RecordedCapture
  answered: Answered
  known: KnownCapture | undefined
  others: BlockRecord[]
  /** The others are left out if the main record is a revisit. */
  isRevisitAlone: boolean
}

async function madeRecords(parts: ToMake, bodies: RecordWork): Promise<Made> {
  const { known } = parts
  const made = await membersOf(parts, bodies)
  const response = made.main
  if (known && made.isRevisit) {
    const { payloadDigest, namedDigest } = known.original
    return { response, others: made.others, payloadDigest, namedDigest, kind: 'revisit', known }
  }
  const { payloadDigest, namedDigest } = made
  if (payloadDigest === undefined || namedDigest === undefined)
    throw new Error('a response record has a payload digest')
  return { response, others: made.others, payloadDigest, namedDigest, kind: 'response' }
}

async function membersOf({ capture, answered, known, others, isRevisitAlone }: ToMake, bodies: RecordWork) {
  const { head, response } = answered
  if (known && answered.earlier) {
    const header = revisitHeader('server-not-modified', capture, known)
    const main = { ...header, block: [await response.head(head.bytes)], level: 6 }
    return { ...(await bodies.members({ main, others: isRevisitAlone ? [] : others })), isRevisit: true }
  }
  const header = { ...responseHeader(capture, answered), level: levelOf(answered) }
  const revisit =
    known?.original.status === 200 && mayBeRevisit(answered)
      ? revisitOf({ capture, answered, isRevisitAlone }, known)
      : undefined
  if (response.memory) return bodies.members({ main: { ...header, block: response.memory }, revisit, others })
  const main = { ...header, blockBytes: response.bytes, block: () => response.read() }
  return streamedMembers({ main, revisit, others })
}

function revisitOf(
  { capture, answered, isRevisitAlone }: Pick<ToMake, 'capture' | 'answered' | 'isRevisitAlone'>,
  known: KnownCapture,
): Revisit {
  const header = revisitHeader('identical-payload-digest', capture, known)
  return {
    ...{ payloadDigest: known.original.payloadDigest, header, blockBytes: answered.head.bytes },
    isAlone: isRevisitAlone,
  }
}

function levelOf({ head }: Answered): number {
  return levelFor(fieldOf(head, 'content-type') ?? '', fieldOf(head, 'content-encoding') ?? '')
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
    ...answered.findings.map(({ message }) => `finding: ${textOf(message).replace(/\s+/g, ' ')}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8')
}
