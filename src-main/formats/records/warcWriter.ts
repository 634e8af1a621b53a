/** WARC 1.0 and 1.1 (ISO 28500:2009 and 2017) records to write: the header with its digests, and one gzip member a record (annex D.2).
 *  Deliberately not here: reading (readRecords.ts), and what belongs into a record of which type (see crawl).
 *
 *  What is digested. The block digest covers the block, which is what came over the wire. The payload of an HTTP response
 *  is its body "with any transfer-encoding removed" (6.3.2), and iipc/warc-specifications#22 says that two responses
 *  which differ only in their chunk boundaries have the same payload digest; Heritrix (#770), wget-lua and jwarc do so,
 *  and deduplication needs it. wget, and warcio when it writes, digest the chunk framing too. warcio for Node does not
 *  compare digests when it reads; both of ours are right by the bytes it gives out (block: its raw reader; payload: its
 *  reader without chunks). `warcio check` of Python reports chunked payloads written by the standard (warcio#75, open).
 *  Only `chunked` is removed: other transfer codings need a TE field in the request, which we never send. */
import { createGzip } from 'node:zlib'
import { ChunkReader } from '../http/chunked.ts'
import { digester, sha1Base32, type Digester } from '../digest.ts'
import { gzipMember } from '../packing/gzip.ts'
import { listOf, parseResponseHead } from '../http/http.ts'

export type RecordType =
  'warcinfo' | 'response' | 'resource' | 'request' | 'metadata' | 'revisit' | 'conversion' | 'continuation'

export const warcVersions = ['1.0', '1.1'] as const
export type WarcVersion = (typeof warcVersions)[number]

export interface RecordHeader {
  /** 1.1 where nothing is said. */
  version?: WarcVersion
  type: RecordType
  /** A UUID without `urn:uuid:`. */
  id: string
  dateMs: number
  /** Where the source knows no more of the date than its seconds: a `.000` would say more than anybody knows. */
  dateTo?: 'second'
  /** Beside those made from the rest: WARC-Target-URI, WARC-IP-Address, WARC-Concurrent-To … in this order. */
  fields: readonly (readonly [name: string, value: string])[]
  contentType: string | undefined
  /** Where the HTTP body begins in the block. Without it the record gets no payload digest. */
  payload?: { offset: number }
}

export interface WarcRecord {
  header: Uint8Array
  block: Uint8Array[]
  blockDigest: string
  payloadDigest: string | undefined
}

export interface WarcMember {
  bytes: Uint8Array
  blockDigest: string
  payloadDigest: string | undefined
}

export function newRecord(record: RecordHeader & { block: Uint8Array[] }): WarcRecord {
  const blockDigest = sha1Base32(record.block)
  const payloadDigest = record.payload ? payloadDigestOf(record.block, record.payload.offset) : undefined
  const blockBytes = record.block.reduce((sum, { length }) => sum + length, 0)
  return {
    header: headerBytes(record, { blockBytes, blockDigest, payloadDigest }),
    block: record.block,
    blockDigest,
    payloadDigest,
  }
}

/** The record as it stands in a file that is not compressed. */
export function recordBytes(record: WarcRecord): Uint8Array[] {
  return [record.header, ...record.block, recordEnd]
}

export async function warcMember(record: WarcRecord, level: number): Promise<WarcMember> {
  const { blockDigest, payloadDigest } = record
  const bytes = await gzipMember([record.header, ...record.block, recordEnd], level)
  return { bytes, blockDigest, payloadDigest }
}

/** For blocks too large for memory. `block` is called twice: the digests stand before the block, so a first pass makes
 *  them, and the second gives the bytes while `chunks` are taken. Both must give the same bytes. */
export interface StreamedRecord extends RecordHeader {
  blockBytes: number
  block: () => AsyncIterable<Uint8Array>
}

export interface Streamed {
  chunks: AsyncIterable<Uint8Array>
  blockDigest: string
  payloadDigest: string | undefined
}

/** As it stands in an uncompressed file. */
export async function recordStreamed(record: StreamedRecord): Promise<Streamed> {
  const digests = new BlockDigests(record.payload?.offset)
  for await (const bytes of record.block()) digests.update(bytes)
  const { blockDigest, payloadDigest, blockBytes } = digests.end()
  mustBeSame(record.blockBytes, blockBytes)
  const header = headerBytes(record, { blockBytes, blockDigest, payloadDigest })
  return { chunks: whole(header, record.block(), blockBytes), blockDigest, payloadDigest }
}

export async function warcMemberStreamed(record: StreamedRecord, level: number): Promise<Streamed> {
  const streamed = await recordStreamed(record)
  return { ...streamed, chunks: gzipStreamed(streamed.chunks, level) }
}

/** WARC 1.1, 4: two line ends behind the block. */
export const recordEnd = Buffer.from('\r\n\r\n')

interface Measured {
  blockBytes: number
  blockDigest: string
  payloadDigest: string | undefined
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

/** A line end in a value would forge a field or a record: whoever passes one has not read what he passes. */
function fieldValue(name: string, value: string): string {
  // eslint-disable-next-line no-control-regex
  if (/[\x00\r\n]/.test(value)) throw new Error(`the WARC field ${name} may not hold line ends`)
  return value
}

function payloadDigestOf(block: Uint8Array[], offset: number): string {
  const [first] = block
  if (first && block.length === 1 && !isChunked(first.subarray(0, offset))) return sha1Base32([first.subarray(offset)])
  const digests = new BlockDigests(offset)
  for (const bytes of block) digests.updatePayload(bytes)
  return digests.payload()
}

/** Block and payload digest of a block that comes in parts. */
class BlockDigests {
  #blockBytes = 0
  #block: Digester = digester('sha1')
  #payload: Digester = digester('sha1')
  #offset: number | undefined
  /** The bytes before `#offset`, held because they say whether the payload is chunked. */
  #head: Uint8Array[] = []
  #missing: number
  #feed: ((bytes: Uint8Array) => void) | undefined

  constructor(payloadOffset: number | undefined) {
    this.#offset = payloadOffset
    this.#missing = payloadOffset ?? 0
  }

  update(bytes: Uint8Array): void {
    this.#block.update(bytes)
    this.#blockBytes += bytes.length
    if (this.#offset !== undefined) this.updatePayload(bytes)
  }

  updatePayload(bytes: Uint8Array): void {
    const ofHead = Math.min(this.#missing, bytes.length)
    if (ofHead > 0) this.#head.push(Uint8Array.from(bytes.subarray(0, ofHead)))
    this.#missing -= ofHead
    if (this.#missing > 0 || ofHead === bytes.length) return
    this.#feed ??= this.#feeder()
    this.#feed(ofHead === 0 ? bytes : bytes.subarray(ofHead))
  }

  payload(): string {
    return this.#payload.base32()
  }

  end(): Measured {
    const payloadDigest = this.#offset === undefined ? undefined : this.payload()
    return { blockBytes: this.#blockBytes, blockDigest: this.#block.base32(), payloadDigest }
  }

  #feeder(): (bytes: Uint8Array) => void {
    if (!isChunked(Buffer.concat(this.#head))) return (bytes) => this.#payload.update(bytes)
    const chunks = new ChunkReader((bytes) => this.#payload.update(bytes))
    return (bytes) => void chunks.push(bytes)
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
