/** The digests that a record names, compared with its bytes, and the payload digest that captures and indexes use. One
 *  pass over the block, never holding more of it than an HTTP head. A payload digest is read in every way that writers
 *  made it: without its chunk framing (WARC 1.1, 6.3.2), with it (wget, warcio), or of the whole block (old writers).
 *  Deliberately not here: the spelling of digests (digest.ts), and what else is wrong with a block (checkBlock.ts). */
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

/** unknown: of a form that nothing can be said about, or not of bytes that are here (a revisit, a segment). */
export type DigestVerdict = 'right' | 'rightWithChunks' | 'rightOfBlock' | 'wrong' | 'unknown'

export interface CheckedDigest {
  of: 'block' | 'payload'
  /** As the header has it. */
  named: string
  /** By the algorithm and in the spelling of `named`; empty when nothing was computed. */
  computed: string
  verdict: DigestVerdict
}

export interface DigestsRead {
  /** Those that the header names. */
  digests: CheckedDigest[]
  /** For an index: as named where the record names it, else computed with SHA-1; empty for a revisit or a segment that
   *  does not name it. */
  payloadDigest: string
  /** What is wrong with the digests, or known of how they were made. */
  findings: Finding[]
}

/** An archived head that is longer counts as none. Browsers refuse a head of more than 256 KiB. */
export const headBytesMax = 256 * 1024

type Described = Pick<ArchiveRecord, 'type' | 'contentType' | 'url'>

/** Where the header does not say what the block is, a reader may guess (WARC 1.1, 5.6): that of an http address is HTTP. */
export function isHttpRecord({ type, contentType = '', url = '' }: Described): boolean {
  if (contentType !== '') return /^\s*application\/http\b/i.test(contentType)
  return messageTypes.has(type) && /^<?https?:/i.test(url)
}

const messageTypes = new Set(['response', 'request', 'revisit'])

/** Takes the block of one record, part by part. */
export class BlockDigests {
  /** Of the archived message; undefined while it has not come, and where there is none. */
  head: HttpHead | RequestHead | undefined
  /** What is strange in the message itself: its head, and its chunks once ended. Offsets count from the block. */
  readonly messageFindings: Finding[] = []
  #record: ArchiveRecord
  #named: { block: LabelledDigest | undefined; payload: LabelledDigest | undefined }
  #block: Digester | undefined
  #standard: Digester | undefined
  #framed: Digester | undefined
  /** Of the block by the algorithm of the payload digest, where the block digest is not that already. */
  #whole: Digester | undefined
  #chunks: ChunkReader | undefined
  #onPayload: (bytes: Uint8Array) => void
  /** What came so far while the end of the head is not in sight; undefined after it. */
  #held: Uint8Array | undefined
  #blockBytes = 0
  #payloadStart = 0
  #surplusBytes = 0

  /** `onPayload` is given the payload without its chunk framing, as it comes. */
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
    // Outside HTTP the block is the payload (WARC 1.1, 6.1): one digest serves both.
    const same = !isHttp && block !== undefined && block.algorithm === (payload?.algorithm ?? 'sha1')
    if (!hasPayload(record) || same) return
    this.#standard = digester(payload?.algorithm ?? 'sha1')
    if (isHttp && payload && payload.algorithm !== block?.algorithm) this.#whole = digester(payload.algorithm)
  }

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

  /** The block has come; asked once. */
  end(): DigestsRead {
    if (this.#held) this.#headComplete(this.#held)
    this.#endChunks()
    const blockHex = this.#block?.hex()
    const digests = [this.#blockDigest(blockHex), this.#payloadDigest(blockHex)].filter((one) => one !== undefined)
    // A torn record is said to be torn; that its digests do not fit adds nothing.
    const torn = this.#blockBytes < this.#record.blockBytes
    const findings = torn ? [] : digests.flatMap((digest) => findingOf(digest, this.#record))
    return { digests, payloadDigest: this.#forIndex(blockHex), findings }
  }

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
    this.messageFindings.push(finding('bytesAfterChunks', `${this.#surplusBytes} bytes follow the last chunk.`, at))
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

  #forIndex(blockHex: string | undefined): string {
    if (this.#named.payload) return spellDigest(this.#named.payload)
    if (!hasPayload(this.#record)) return ''
    return this.#standard?.base32() ?? spellDigest({ algorithm: 'sha1', hex: blockHex ?? '' })
  }
}

/** Some writers put an answer into a request, or what was asked into a response: it is read as what it is. */
function readHead(type: string, bytes: Uint8Array): { head: HttpHead | RequestHead; findings: Finding[] } | undefined {
  const answer = parseResponseHead(bytes)
  if (answer || type === 'request') return answer ?? parseRequestHead(bytes)
  const asked = parseRequestHead(bytes)
  return asked?.head.version === '' ? undefined : asked
}

function parsed(text: string | undefined): LabelledDigest | undefined {
  return text === undefined ? undefined : parseLabelledDigest(text)
}

/** A revisit leaves its payload off, a segment has only a part of it (WARC 1.1, 5.9). */
function hasPayload(record: ArchiveRecord): boolean {
  return record.type !== 'revisit' && recordField(record, 'warc-segment-number') === undefined
}

function findingOf({ of, named, verdict }: CheckedDigest, record: ArchiveRecord): Finding[] {
  const field = of === 'block' ? 'WARC-Block-Digest' : 'WARC-Payload-Digest'
  // That the field is empty is said of every field (checkHeader.ts).
  if (verdict === 'unknown' && named !== '' && !parsed(named))
    return [finding('digestUnknown', `${field} cannot be checked: ${named.slice(0, 60)}`)]
  if (verdict === 'wrong' && of === 'block')
    return [finding('blockDigestWrong', 'The block does not match WARC-Block-Digest.')]
  if (verdict === 'wrong') return [wrongPayload(record)]
  if (verdict === 'rightWithChunks') {
    const text = 'WARC-Payload-Digest includes the chunk framing, as wget and warcio compute it.'
    return [finding('payloadDigestWithChunks', text)]
  }
  if (verdict === 'rightOfBlock') {
    const text = 'WARC-Payload-Digest covers the whole block, as some old writers computed it.'
    return [finding('payloadDigestOfBlock', text)]
  }
  return []
}

function wrongPayload(record: ArchiveRecord): Finding {
  const readings = isHttpRecord(record) ? ' with or without chunk framing' : ''
  return finding('payloadDigestWrong', `The payload${readings} does not match WARC-Payload-Digest.`)
}
