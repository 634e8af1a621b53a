/** Compares the digests in a record's header with its bytes, and computes the payload digest for captures and
 *  indexes. It takes one pass over the block and holds no more of it than an HTTP head. Payload digests are accepted
 *  in every form that writers have produced: without chunk framing (WARC 1.1, 6.3.2), with it (wget, warcio), or
 *  over the whole block (old writers). The spelling of digests is handled in digest.ts, other faults of a block in
 *  checkBlock.ts. */
import { ChunkReader } from '../http/chunked.ts'
import { finding, type Finding } from '../rules/finding.ts'
import {
  digester,
  parseLabelledDigest,
  spellDigest,
  spellLike,
  type Digester,
  type LabelledDigest,
} from '../bytes/digest.ts'
import {
  headEnd,
  headEndReachBytes,
  listOf,
  parseRequestHead,
  parseResponseHead,
  type HttpHead,
  type RequestHead,
} from '../http/http.ts'
import { recordField, type ArchiveRecord } from './record.ts'

/** Result of comparing a digest. `rightWithChunks`: matches the payload with its chunk framing. `rightOfBlock`: a
 *  payload digest that matches the whole block. `unknown`: the algorithm or spelling is not supported, or the bytes
 *  are not in this record (a revisit, a segment). */
export type DigestVerdict = 'right' | 'rightWithChunks' | 'rightOfBlock' | 'wrong' | 'unknown'

/** A digest of the header, compared with the bytes. */
export interface CheckedDigest {
  of: 'block' | 'payload'
  /** The digest as spelled in the header. */
  named: string
  /** The computed digest, with the algorithm and spelling of `named`; empty when none was computed. */
  computed: string
  verdict: DigestVerdict
}

/** Result of reading the whole block. */
export interface DigestsRead {
  /** Results for the digests in the header. */
  digests: CheckedDigest[]
  /** Payload digest for an index: the digest of the header when there is one, otherwise computed with SHA-1; empty
   *  for a revisit or a segment without a payload digest. */
  payloadDigest: string
  /** Mismatches, and remarks on how the digests were made. */
  findings: Finding[]
}

/** Maximum length of an archived HTTP head in bytes; a longer head is ignored. Browsers refuse heads of more than
 *  256 KiB. */
export const headBytesMax = 256 * 1024

/** The parts of a header that tell what the block is. */
type Described = Pick<ArchiveRecord, 'type' | 'contentType' | 'url'>

/** Returns true when the block is an HTTP message. When the header does not state the content type, a reader may
 *  guess (WARC 1.1, 5.6): a message record with an http or https URL is HTTP. */
export function isHttpRecord({ type, contentType = '', url = '' }: Described): boolean {
  if (contentType !== '') return /^\s*application\/http\b/i.test(contentType)
  return messageTypes.has(type) && /^<?https?:/i.test(url)
}

/** Types whose block is an HTTP message when their URL is one of HTTP. */
const messageTypes = new Set(['response', 'request', 'revisit'])

/** Computes the digests of one record. Feed its block to `update`, then call `end` once. */
export class BlockDigests {
  /** Head of the archived message; undefined until it is complete, and when there is none. */
  head: HttpHead | RequestHead | undefined
  /** Faults of the message itself: its head and, after `end`, its chunks. Offsets count from the start of the block. */
  readonly messageFindings: Finding[] = []
  #record: ArchiveRecord
  #named: { block: LabelledDigest | undefined; payload: LabelledDigest | undefined }
  #block: Digester | undefined
  #standard: Digester | undefined
  #framed: Digester | undefined
  /** Digest of the block with the algorithm of the payload digest, when the block digest uses another one. */
  #whole: Digester | undefined
  #chunks: ChunkReader | undefined
  #onPayload: (bytes: Uint8Array) => void
  /** Bytes received while the end of the head has not been found; undefined after that. */
  #held: Uint8Array | undefined
  #blockBytes = 0
  #payloadStart = 0
  #surplusBytes = 0

  /** `onPayload` receives the payload in parts, without chunk framing. */
  constructor(record: ArchiveRecord, onPayload: (bytes: Uint8Array) => void = () => undefined) {
    this.#record = record
    this.#onPayload = onPayload
    this.#named = {
      block: parsed(recordField(record, 'warc-block-digest')),
      payload: parsed(recordField(record, 'warc-payload-digest')),
    }
    const isHttp = isHttpRecord(record)
    if (isHttp) this.#held = new Uint8Array(0)
    const { block, payload } = this.#named
    if (block) this.#block = digester(block.algorithm)
    // For other content than HTTP the payload is the block (WARC 1.1, 6.1): one digest serves both.
    const same = !isHttp && block !== undefined && block.algorithm === (payload?.algorithm ?? 'sha1')
    if (!hasPayload(record) || same) return
    this.#standard = digester(payload?.algorithm ?? 'sha1')
    if (isHttp && payload && payload.algorithm !== block?.algorithm) this.#whole = digester(payload.algorithm)
  }

  /** Takes the next bytes of the block. */
  update(bytes: Uint8Array): void {
    this.#blockBytes += bytes.length
    this.#block?.update(bytes)
    this.#whole?.update(bytes)
    if (!this.#held) return this.#updatePayload(bytes)
    const before = this.#held.length
    const held = before === 0 ? bytes : Buffer.concat([this.#held, bytes])
    if (held.length >= headBytesMax || headEnd(held, Math.max(0, before - headEndReachBytes)) >= 0)
      this.#headComplete(held)
    // A copy, because the caller may reuse its buffer.
    else this.#held = before === 0 ? Uint8Array.from(held) : held
  }

  /** Finishes the digests after the last `update`. Must be called only once. */
  end(): DigestsRead {
    if (this.#held) this.#headComplete(this.#held)
    this.#endChunks()
    const blockHex = this.#block?.hex()
    const digests = [this.#blockDigest(blockHex), this.#payloadDigest(blockHex)].filter((one) => one !== undefined)
    // A torn record has its own finding; mismatching digests would add nothing.
    const torn = this.#blockBytes < this.#record.blockBytes
    const findings = torn ? [] : digests.flatMap((digest) => findingOf(digest, this.#record))
    return { digests, payloadDigest: this.#forIndex(blockHex), findings }
  }

  /** Parses the head, and begins the payload after it. */
  #headComplete(held: Uint8Array): void {
    this.#held = undefined
    const read = readHead(this.#record.type, held)
    this.head = read?.head
    if (read) this.messageFindings.push(...read.findings)
    this.#payloadStart = this.head?.bytes ?? 0
    if (this.head && listOf(this.head, 'transfer-encoding').at(-1) === 'chunked') {
      this.#chunks = new ChunkReader((part) => this.#takePayload(part))
      if (this.#standard && this.#named.payload) this.#framed = digester(this.#named.payload.algorithm)
    }
    this.#updatePayload(held.subarray(this.#payloadStart))
  }

  #updatePayload(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (!this.#chunks) return this.#takePayload(bytes)
    this.#framed?.update(bytes)
    this.#surplusBytes += bytes.length - this.#chunks.push(bytes)
  }

  #takePayload(bytes: Uint8Array): void {
    this.#standard?.update(bytes)
    this.#onPayload(bytes)
  }

  #endChunks(): void {
    if (!this.#chunks || this.#blockBytes === this.#payloadStart) return
    this.#chunks.end()
    for (const found of this.#chunks.findings)
      this.messageFindings.push({ ...found, offset: this.#payloadStart + (found.offset ?? 0) })
    if (this.#surplusBytes === 0) return
    const at = this.#blockBytes - this.#surplusBytes
    this.messageFindings.push(finding('bytesAfterChunks', { bytes: this.#surplusBytes }, at))
  }

  #blockDigest(blockHex: string | undefined): CheckedDigest | undefined {
    const named = recordField(this.#record, 'warc-block-digest')
    if (named === undefined) return undefined
    const { block } = this.#named
    if (!block || blockHex === undefined) return { of: 'block', named, computed: '', verdict: 'unknown' }
    const computed = spellLike(named, { algorithm: block.algorithm, hex: blockHex })
    return { of: 'block', named, computed, verdict: block.hex === blockHex ? 'right' : 'wrong' }
  }

  #payloadDigest(blockHex: string | undefined): CheckedDigest | undefined {
    const named = recordField(this.#record, 'warc-payload-digest')
    if (named === undefined) return undefined
    const { payload } = this.#named
    if (!payload || !hasPayload(this.#record)) return { of: 'payload', named, computed: '', verdict: 'unknown' }
    const { algorithm, hex } = payload
    const standardHex = this.#standard?.hex() ?? blockHex ?? ''
    const computed = spellLike(named, { algorithm, hex: standardHex })
    if (hex === standardHex) return { of: 'payload', named, computed, verdict: 'right' }
    if (hex === this.#framed?.hex()) return { of: 'payload', named, computed, verdict: 'rightWithChunks' }
    const wholeHex = this.#whole?.hex() ?? blockHex
    return { of: 'payload', named, computed, verdict: hex === wholeHex ? 'rightOfBlock' : 'wrong' }
  }

  /** The payload digest as captures and indexes spell it. */
  #forIndex(blockHex: string | undefined): string {
    if (this.#named.payload) return spellDigest(this.#named.payload)
    if (!hasPayload(this.#record)) return ''
    return this.#standard?.base32() ?? spellDigest({ algorithm: 'sha1', hex: blockHex ?? '' })
  }
}

/** Parses the head of the message. Some writers store a response in a request record or the reverse: the head is
 *  parsed as whatever it is. */
function readHead(type: string, bytes: Uint8Array): { head: HttpHead | RequestHead; findings: Finding[] } | undefined {
  const answer = parseResponseHead(bytes)
  if (answer || type === 'request') return answer ?? parseRequestHead(bytes)
  const asked = parseRequestHead(bytes)
  return asked?.head.version === '' ? undefined : asked
}

function parsed(text: string | undefined): LabelledDigest | undefined {
  return text === undefined ? undefined : parseLabelledDigest(text)
}

/** Returns false for a record whose payload is not in its block: a revisit omits it, and a segment has only a part
 *  of it (WARC 1.1, 5.9). */
function hasPayload(record: ArchiveRecord): boolean {
  return record.type !== 'revisit' && recordField(record, 'warc-segment-number') === undefined
}

function findingOf({ of, named, verdict }: CheckedDigest, record: ArchiveRecord): Finding[] {
  const field = of === 'block' ? 'WARC-Block-Digest' : 'WARC-Payload-Digest'
  // An empty field is reported for all fields alike (checkHeader.ts).
  if (verdict === 'unknown' && named !== '' && !parsed(named))
    return [finding('digestUnknown', { field, digest: named.slice(0, 60) })]
  if (verdict === 'wrong' && of === 'block') return [finding('blockDigestWrong')]
  if (verdict === 'wrong') return [finding(isHttpRecord(record) ? 'payloadDigestWrong.http' : 'payloadDigestWrong')]
  if (verdict === 'rightWithChunks') return [finding('payloadDigestWithChunks')]
  if (verdict === 'rightOfBlock') return [finding('payloadDigestOfBlock')]
  return []
}
