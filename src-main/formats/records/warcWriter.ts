/** Writes WARC 1.0 and 1.1 (ISO 28500:2009 and 2017) records: the header with its digests, and one gzip member for
 *  each record (annex D.2). Reading is in readRecords.ts; the contents of each record type are chosen by the callers
 *  (see crawl).
 *
 *  Digests: the block digest covers the block, which is what was transferred. The payload of an HTTP response is its
 *  body "with any transfer-encoding removed" (6.3.2), and by iipc/warc-specifications#22 two responses that differ
 *  only in their chunk boundaries have the same payload digest. Heritrix (#770), wget-lua and jwarc do so, and
 *  deduplication requires it. wget, and warcio when it writes, include the chunk framing. warcio for Node does not
 *  compare digests when it reads; both digests of this writer are correct for the bytes that it returns (block: its
 *  raw reader; payload: its reader without chunks). `warcio check` of Python reports chunked payloads that follow
 *  the standard (warcio#75, open), so a caller may choose a payload digest of the body as stored, with its chunk
 *  framing. Only `chunked` is removed: other transfer codings require a TE field in the request, which is never
 *  sent. */
import { createGzip } from 'node:zlib'
import { ChunkReader } from '../http/chunked.ts'
import { digester, sha1Base32, type Digester } from '../bytes/digest.ts'
import { gzipMember } from '../packing/gzip.ts'
import { listOf, parseResponseHead } from '../http/http.ts'

/** The record types of WARC 1.1 (6). */
export type RecordType =
  | 'warcinfo'
  | 'response'
  | 'resource'
  | 'request'
  | 'metadata'
  | 'revisit'
  | 'conversion'
  | 'continuation'

/** Versions that can be written. */
export const warcVersions = ['1.0', '1.1'] as const
export type WarcVersion = (typeof warcVersions)[number]

/** Bytes that WARC-Payload-Digest covers: `standard` is the payload of the standard, `asStored` the body with its
 *  chunk framing. */
export const payloadDigestKinds = ['standard', 'asStored'] as const
export type PayloadDigestKind = (typeof payloadDigestKinds)[number]

/** The header of a record to be written; its length and digests are added by the writer. */
export interface RecordHeader {
  /** Defaults to 1.1. */
  version?: WarcVersion
  type: RecordType
  /** A UUID without the prefix `urn:uuid:`. */
  id: string
  dateMs: number
  /** Set when the source knows the date only to the second: `.000` would claim a precision that it does not have. */
  dateTo?: 'second'
  /** Fields in addition to those made from the other properties: WARC-Target-URI, WARC-IP-Address,
   *  WARC-Concurrent-To … in this order. */
  fields: readonly (readonly [name: string, value: string])[]
  contentType: string | undefined
  /** Offset of the HTTP body in the block, and the kind of payload digest (`standard` by default). Without it the
   *  record gets no payload digest. */
  payload?: { offset: number; digest?: PayloadDigestKind }
}

/** Digests of a written record. */
export interface Digests {
  blockDigest: string
  /** The payload digest written to the record. */
  payloadDigest: string | undefined
  /** The payload digest of the standard, whichever is written: equal for two responses that differ only in their
   *  chunk boundaries. */
  standardDigest: string | undefined
}

/** A record whose block is in memory, with its header. */
export interface WarcRecord extends Digests {
  header: Uint8Array
  block: Uint8Array[]
}

/** A record as one gzip member. */
export interface WarcMember extends Digests {
  bytes: Uint8Array
}

/** Creates a record from a block in memory. */
export function newRecord(record: RecordHeader & { block: Uint8Array[] }): WarcRecord {
  const digests = { blockDigest: sha1Base32(record.block), ...payloadDigestsOf(record) }
  const blockBytes = record.block.reduce((sum, { length }) => sum + length, 0)
  return { header: headerBytes(record, { blockBytes, ...digests }), block: record.block, ...digests }
}

/** Returns the parts of the record as stored in an uncompressed file. */
export function recordBytes(record: WarcRecord): Uint8Array[] {
  return [record.header, ...record.block, recordEnd]
}

/** Compresses a record to one gzip member. */
export function warcMember(record: WarcRecord, level: number): WarcMember {
  const { header, block, ...digests } = record
  return { bytes: gzipMember([header, ...block, recordEnd], level), ...digests }
}

/** A record whose block is too large for memory. `block` is called twice: the digests precede the block, so the
 *  first pass computes them and the second provides the bytes for `chunks`. Both passes must yield the same bytes. */
export interface StreamedRecord extends RecordHeader {
  blockBytes: number
  block: () => AsyncIterable<Uint8Array>
}

/** A record that is written as a stream. `chunks` may be consumed once. */
export interface Streamed extends Digests {
  chunks: AsyncIterable<Uint8Array>
}

/** Computes the digests, and returns the record as stored in an uncompressed file. Throws when `block` does not
 *  yield `blockBytes` bytes. */
export async function recordStreamed(record: StreamedRecord): Promise<Streamed> {
  const running = new BlockDigests(record.payload)
  for await (const bytes of record.block()) running.update(bytes)
  const { blockBytes, ...digests } = running.end()
  mustBeSame(record.blockBytes, blockBytes)
  const header = headerBytes(record, { blockBytes, ...digests })
  return { chunks: whole(header, record.block(), blockBytes), ...digests }
}

/** Does the same as `recordStreamed` for one gzip member. */
export async function warcMemberStreamed(record: StreamedRecord, level: number): Promise<Streamed> {
  const streamed = await recordStreamed(record)
  return { ...streamed, chunks: gzipStreamed(streamed.chunks, level) }
}

/** Two line ends after the block (WARC 1.1, 4). */
export const recordEnd = Buffer.from('\r\n\r\n')

/** What the header states about the block. */
interface Measured extends Digests {
  blockBytes: number
}

/** Returns the header of a record (WARC 1.1, 4 and 5). Fractions of a second are new in 1.1: a date of 1.0 has
 *  exactly twenty characters (WARC 1.0, 5.4). */
function headerBytes(record: RecordHeader, measured: Measured): Uint8Array {
  const { blockBytes, blockDigest, payloadDigest } = measured
  const { version = '1.1' } = record
  let text = `WARC/${version}\r\nWARC-Type: ${record.type}\r\nWARC-Record-ID: <urn:uuid:${record.id}>\r\n`
  const date = new Date(record.dateMs).toISOString()
  const toSecond = record.dateTo === 'second' || version === '1.0'
  text += `WARC-Date: ${toSecond ? date.replace(/\.\d+Z$/, 'Z') : date}\r\n`
  for (const [name, value] of record.fields) text += `${name}: ${fieldValue(name, value)}\r\n`
  if (record.contentType !== undefined) text += `Content-Type: ${record.contentType}\r\n`
  text += `Content-Length: ${blockBytes}\r\nWARC-Block-Digest: ${blockDigest}\r\n`
  if (payloadDigest !== undefined) text += `WARC-Payload-Digest: ${payloadDigest}\r\n`
  return Buffer.from(`${text}\r\n`, 'utf8')
}

/** Returns the value unchanged. Throws when it contains a line end, which could forge a field or a record: that is a
 *  bug of the caller. */
function fieldValue(name: string, value: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\x00\r\n]/.test(value)) throw new Error(`the WARC field ${name} may not hold line ends`)
  return value
}

type PayloadDigests = Pick<Digests, 'payloadDigest' | 'standardDigest'>

/** Computes the payload digests of a block in memory. */
function payloadDigestsOf({ block, payload }: RecordHeader & { block: Uint8Array[] }): PayloadDigests {
  if (!payload) return { payloadDigest: undefined, standardDigest: undefined }
  const { offset } = payload
  const [first] = block
  if (first && block.length === 1 && !isChunked(first.subarray(0, offset))) {
    const digest = sha1Base32([first.subarray(offset)])
    return { payloadDigest: digest, standardDigest: digest }
  }
  const digests = new BlockDigests(payload)
  for (const bytes of block) digests.updatePayload(bytes)
  return digests.payload()
}

/** Computes the block digest and the payload digests of a block that comes in parts. */
class BlockDigests {
  #blockBytes = 0
  #block: Digester = digester('sha1')
  #standard: Digester = digester('sha1')
  /** Digest of a chunked body as stored; undefined when the record does not need it. */
  #stored: Digester | undefined
  #payload: RecordHeader['payload']
  /** Reader of a chunked payload; undefined for any other, and while the head is incomplete. */
  #chunks: ChunkReader | undefined
  /** Bytes before the payload, held because they show whether it is chunked. */
  #head: Uint8Array[] = []
  #missing: number
  #feed: ((bytes: Uint8Array) => void) | undefined

  constructor(payload: RecordHeader['payload']) {
    this.#payload = payload
    this.#missing = payload?.offset ?? 0
  }

  update(bytes: Uint8Array): void {
    this.#block.update(bytes)
    this.#blockBytes += bytes.length
    if (this.#payload) this.updatePayload(bytes)
  }

  updatePayload(bytes: Uint8Array): void {
    const ofHead = Math.min(this.#missing, bytes.length)
    if (ofHead > 0) this.#head.push(Uint8Array.from(bytes.subarray(0, ofHead)))
    this.#missing -= ofHead
    if (this.#missing > 0 || ofHead === bytes.length) return
    this.#feed ??= this.#feeder()
    this.#feed(ofHead === 0 ? bytes : bytes.subarray(ofHead))
  }

  payload(): PayloadDigests {
    // A short body that is not chunked although its head says so is known as such only at its end.
    this.#chunks?.end()
    const standardDigest = this.#standard.base32()
    return { payloadDigest: this.#stored?.base32() ?? standardDigest, standardDigest }
  }

  end(): Measured {
    const payload = this.#payload ? this.payload() : { payloadDigest: undefined, standardDigest: undefined }
    return { blockBytes: this.#blockBytes, blockDigest: this.#block.base32(), ...payload }
  }

  #feeder(): (bytes: Uint8Array) => void {
    if (!isChunked(Buffer.concat(this.#head))) return (bytes) => this.#standard.update(bytes)
    const chunks = new ChunkReader((bytes) => this.#standard.update(bytes))
    this.#chunks = chunks
    if (this.#payload?.digest !== 'asStored') return (bytes) => void chunks.push(bytes)
    const stored = digester('sha1')
    this.#stored = stored
    return (bytes) => {
      stored.update(bytes)
      chunks.push(bytes)
    }
  }
}

/** Whether a head says that its body is chunked. */
function isChunked(head: Uint8Array): boolean {
  // Most heads do not contain this word, and searching for it costs a tenth of parsing.
  if (!/transfer-encoding/i.test(Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1')))
    return false
  const parsed = parseResponseHead(head)
  return parsed !== undefined && listOf(parsed.head, 'transfer-encoding').at(-1) === 'chunked'
}

/** Yields a record with its line ends. */
async function* whole(
  header: Uint8Array,
  block: AsyncIterable<Uint8Array>,
  blockBytes: number,
): AsyncGenerator<Uint8Array> {
  yield header
  let seenBytes = 0
  for await (const bytes of block) {
    seenBytes += bytes.length
    yield bytes
  }
  mustBeSame(blockBytes, seenBytes)
  yield recordEnd
}

/** Throws when the two passes over a block differ in length, which is a bug of the caller. */
function mustBeSame(expectedBytes: number, seenBytes: number): void {
  if (expectedBytes !== seenBytes)
    throw new Error(`a block of ${expectedBytes} bytes gave ${seenBytes} when read again`)
}

/** Compresses all bytes of `source` to one gzip member in bounded memory. */
export async function* gzipStreamed(source: AsyncIterable<Uint8Array>, level: number): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level, chunkSize: 64 * 1024 })
  const feeding = feed(gzip, source)
  // A failure of the source destroys the stream, and the loop below throws it; this handler only prevents an unhandled
  // rejection.
  feeding.catch((cause: unknown) =>
    gzip.destroy(cause instanceof Error ? cause : new Error('the block broke off', { cause })),
  )
  try {
    for await (const bytes of gzip) yield bytes as Uint8Array
    await feeding
  } finally {
    gzip.destroy()
  }
}

/** Writes the source to the stream. The callback of `write` is called when the bytes are compressed and their output
 *  is taken, which bounds the memory. */
async function feed(gzip: ReturnType<typeof createGzip>, source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const bytes of source) {
    await new Promise<void>((resolve, reject) => {
      gzip.write(bytes, (error) => {
        if (error) reject(error)
        else resolve()
      })
    })
  }
  gzip.end()
}
