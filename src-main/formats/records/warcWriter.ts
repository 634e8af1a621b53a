/** WARC 1.0 and 1.1 (ISO 28500:2009 and 2017) records to write: the header with its digests, and one gzip member a record (annex D.2).
 *  Deliberately not here: reading (readRecords.ts), and what belongs into a record of which type (see crawl).
 *
 *  What is digested. The block digest covers the block, which is what came over the wire. The payload of an HTTP response
 *  is its body "with any transfer-encoding removed" (6.3.2), and iipc/warc-specifications#22 says that two responses
 *  which differ only in their chunk boundaries have the same payload digest; Heritrix (#770), wget-lua and jwarc do so,
 *  and deduplication needs it. wget, and warcio when it writes, digest the chunk framing too. warcio for Node does not
 *  compare digests when it reads; both of ours are right by the bytes it gives out (block: its raw reader; payload: its
 *  reader without chunks). `warcio check` of Python reports chunked payloads written by the standard (warcio#75, open), so a
 *  caller may have the payload digest of the body as it is stored, chunk framing included. Only `chunked` is removed: other transfer codings need a TE field in the request, which we never send. */
import { createGzip } from 'node:zlib'
import { ChunkReader } from '../http/chunked.ts'
import { digester, sha1Base32, type Digester } from '../bytes/digest.ts'
import { gzipMember } from '../packing/gzip.ts'
import { listOf, parseResponseHead } from '../http/http.ts'

export type RecordType =
  | 'warcinfo'
  | 'response'
  | 'resource'
  | 'request'
  | 'metadata'
  | 'revisit'
  | 'conversion'
  | 'continuation'

export const warcVersions = ['1.0', '1.1'] as const
export type WarcVersion = (typeof warcVersions)[number]

/** Of which bytes WARC-Payload-Digest is: the payload of the standard, or the body as it is stored, with its chunk framing. */
export const payloadDigestKinds = ['standard', 'asStored'] as const
export type PayloadDigestKind = (typeof payloadDigestKinds)[number]

export interface RecordHeader {
  /** 1.1 where nothing is said. */
  version?: WarcVersion
  type: RecordType
  /** A UUID without `urn:uuid:`. */
  id: string
  dateMs: number
  /** Where the source knows no more of the date than its seconds: a `.000` would claim a precision that is not known. */
  dateTo?: 'second'
  /** Beside those made from the rest: WARC-Target-URI, WARC-IP-Address, WARC-Concurrent-To … in this order. */
  fields: readonly (readonly [name: string, value: string])[]
  contentType: string | undefined
  /** Where the HTTP body begins in the block, and which digest of it the record names; that of the standard where nothing is
   *  said. Without it the record gets no payload digest. */
  payload?: { offset: number; digest?: PayloadDigestKind }
}

export interface Digests {
  blockDigest: string
  /** As the record names it. */
  payloadDigest: string | undefined
  /** By the standard, whatever the record names: the same for two answers that differ in their chunk boundaries alone. */
  standardDigest: string | undefined
}

export interface WarcRecord extends Digests {
  header: Uint8Array
  block: Uint8Array[]
}

export interface WarcMember extends Digests {
  bytes: Uint8Array
}

export function newRecord(record: RecordHeader & { block: Uint8Array[] }): WarcRecord {
  const digests = { blockDigest: sha1Base32(record.block), ...payloadDigestsOf(record) }
  const blockBytes = record.block.reduce((sum, { length }) => sum + length, 0)
  return { header: headerBytes(record, { blockBytes, ...digests }), block: record.block, ...digests }
}

/** The record as it stands in a file that is not compressed. */
export function recordBytes(record: WarcRecord): Uint8Array[] {
  return [record.header, ...record.block, recordEnd]
}

export async function warcMember(record: WarcRecord, level: number): Promise<WarcMember> {
  const { header, block, ...digests } = record
  return { bytes: await gzipMember([header, ...block, recordEnd], level), ...digests }
}

/** For blocks too large for memory. `block` is called twice: the digests stand before the block, so a first pass makes
 *  them, and the second gives the bytes while `chunks` are taken. Both must give the same bytes. */
export interface StreamedRecord extends RecordHeader {
  blockBytes: number
  block: () => AsyncIterable<Uint8Array>
}

export interface Streamed extends Digests {
  chunks: AsyncIterable<Uint8Array>
}

/** As it stands in an uncompressed file. */
export async function recordStreamed(record: StreamedRecord): Promise<Streamed> {
  const running = new BlockDigests(record.payload)
  for await (const bytes of record.block()) running.update(bytes)
  const { blockBytes, ...digests } = running.end()
  mustBeSame(record.blockBytes, blockBytes)
  const header = headerBytes(record, { blockBytes, ...digests })
  return { chunks: whole(header, record.block(), blockBytes), ...digests }
}

export async function warcMemberStreamed(record: StreamedRecord, level: number): Promise<Streamed> {
  const streamed = await recordStreamed(record)
  return { ...streamed, chunks: gzipStreamed(streamed.chunks, level) }
}

/** WARC 1.1, 4: two line ends after the block. */
export const recordEnd = Buffer.from('\r\n\r\n')

interface Measured extends Digests {
  blockBytes: number
}

/** WARC 1.1, 4 and 5. Fractions of a second are new in 1.1: the dates of 1.0 have exactly twenty characters (1.0, 5.4). */
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

/** A line end in a value would forge a field or a record: a caller that passes one has a bug. */
function fieldValue(name: string, value: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\x00\r\n]/.test(value)) throw new Error(`the WARC field ${name} may not hold line ends`)
  return value
}

type PayloadDigests = Pick<Digests, 'payloadDigest' | 'standardDigest'>

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

/** Block and payload digest of a block that comes in parts. */
class BlockDigests {
  #blockBytes = 0
  #block: Digester = digester('sha1')
  #standard: Digester = digester('sha1')
  /** Of a chunked body as it is stored; undefined where that is not asked for. */
  #stored: Digester | undefined
  #payload: RecordHeader['payload']
  /** The bytes before the payload, held because they say whether it is chunked. */
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
    if (this.#payload?.digest !== 'asStored') return (bytes) => void chunks.push(bytes)
    const stored = digester('sha1')
    this.#stored = stored
    return (bytes) => {
      stored.update(bytes)
      chunks.push(bytes)
    }
  }
}

function isChunked(head: Uint8Array): boolean {
  // Most heads do not even hold the word, and looking for it costs a tenth of parsing.
  if (!/transfer-encoding/i.test(Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1')))
    return false
  const parsed = parseResponseHead(head)
  return parsed !== undefined && listOf(parsed.head, 'transfer-encoding').at(-1) === 'chunked'
}

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

function mustBeSame(expectedBytes: number, seenBytes: number): void {
  if (expectedBytes !== seenBytes)
    throw new Error(`a block of ${expectedBytes} bytes gave ${seenBytes} when read again`)
}

/** One gzip member of all that the source gives, in bounded memory. */
export async function* gzipStreamed(source: AsyncIterable<Uint8Array>, level: number): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level, chunkSize: 64 * 1024 })
  const feeding = feed(gzip, source)
  // A failure of the source destroys the stream, so the loop below throws it; here it must only not go unhandled.
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

/** The callback of `write` comes when the bytes are compressed and their output is taken: that bounds the memory. */
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
