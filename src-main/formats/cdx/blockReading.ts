/** Reads from a record's block what an index needs, and no more: the head of an HTTP message, the digest of the
 *  payload when it has to be computed, and the body of a request that becomes part of a key. Digests are verified
 *  elsewhere (see check). */
import { headBytesMax, isHttpRecord } from '../records/blockDigests.ts'
import { digester, type Digester } from '../bytes/digest.ts'
import { ChunkReader } from '../http/chunked.ts'
import {
  fieldOf,
  headEnd,
  listOf,
  parseRequestHead,
  parseResponseHead,
  type HttpHead,
  type RequestHead,
} from '../http/http.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'
import { responseSummary, type HeadSummary } from './headSummary.ts'
import { namedDigest } from './indexDigest.ts'
import { foldRequest, requestBodyBytesMax, type FoldedRequest } from './postKey.ts'

/** What to read from a block. */
export interface Wanted {
  /** The payload digest, as named by the record or computed. */
  digest: boolean
  /** All fields of the HTTP head. */
  head: boolean
  /** Method, head and folded body of a request record. */
  request: boolean
}

/** What was read from a block. */
export interface BlockRead {
  /** Status of an HTTP response. */
  status: number | undefined
  /** Media type of the content: of the HTTP head, or of the record for other content than HTTP. */
  contentType: string | undefined
  /** The label and base32; empty when it was not wanted, or the record has no payload. */
  payloadDigest: string
  head: HttpHead | RequestHead | undefined
  request: RequestRead | undefined
}

/** What was read from a request record. */
export interface RequestRead {
  method: string
  /** Undefined when its fields were not wanted. */
  head: RequestHead | undefined
  /** Undefined for a GET. */
  folded: FoldedRequest | undefined
}

type Block = AsyncIterator<Uint8Array>

/** Reads the wanted parts of a block. Stops when nothing more is wanted. */
export async function readBlock(record: ArchiveRecord, block: Block, wanted: Wanted): Promise<BlockRead> {
  const reading = readingOf(record, wanted)
  const first = reading.head ? await beginning(block, reading.head) : new Uint8Array(0)
  const sink = reading.sink()
  if (sink) await pour(first, block, sink)
  return reading.read()
}

/** Does the same as `readBlock` for a block that is in memory as a whole. */
export function readHeldBlock(record: ArchiveRecord, block: Uint8Array, wanted: Wanted): BlockRead {
  const reading = readingOf(record, wanted)
  const headBytes = reading.head?.(block, false) ?? 0
  const sink = reading.sink()
  if (sink) {
    sink.take(block.subarray(headBytes))
    sink.end()
  }
  return reading.read()
}

/** The steps of reading one block, whether it is in memory as a whole or not. */
interface Reading {
  /** Reads the head, and returns its length; undefined while it needs further bytes and `mayGoOn` is true. Absent for a
   *  block without a head. */
  head?: (bytes: Uint8Array, mayGoOn: boolean) => number | undefined
  /** Returns what takes the bytes after the head; undefined when they are not needed. */
  sink(): Sink | undefined
  read(): BlockRead
}

/** Takes the bytes of a body. `end` is called after the last ones. */
interface Sink {
  take(bytes: Uint8Array): void
  end(): void
}

function readingOf(record: ArchiveRecord, wanted: Wanted): Reading {
  const payload = payloadDigestFor(record, wanted)
  if (!isHttpRecord(record)) return plainReading(record, payload)
  return record.type === 'request' ? requestReading(record, wanted, payload) : responseReading(wanted, payload)
}

function plainReading({ contentType }: ArchiveRecord, { digest, text }: PayloadDigest): Reading {
  return {
    sink: () => digest && payloadInto((bytes) => digest.update(bytes), false),
    read: () => ({ status: undefined, contentType, payloadDigest: text(), head: undefined, request: undefined }),
  }
}

function responseReading(wanted: Wanted, { digest, text }: PayloadDigest): Reading {
  let summary: HeadSummary | undefined
  let head: HttpHead | undefined
  return {
    head(bytes, mayGoOn) {
      const found = responseSummary(bytes, mayGoOn)
      if (found === 'more') return undefined
      summary = found
      if (wanted.head) head = parseResponseHead(bytes)?.head
      return found?.bytes ?? 0
    },
    sink: () => digest && payloadInto((part) => digest.update(part), summary?.chunked),
    read: () => ({
      status: summary?.status,
      contentType: summary?.contentType,
      payloadDigest: text(),
      head,
      request: undefined,
    }),
  }
}

/** The body of the request is kept when it becomes part of a key. */
function requestReading(record: ArchiveRecord, wanted: Wanted, { digest, text }: PayloadDigest): Reading {
  let head: RequestHead | undefined
  let body: Body | undefined
  return {
    head(bytes, mayGoOn) {
      if (mayGoOn && headEnd(bytes, 0) < 0) return undefined
      head = parseRequestHead(bytes)?.head
      return head?.bytes ?? 0
    },
    sink() {
      const folds = wanted.request && head !== undefined && head.method.toUpperCase() !== 'GET'
      body = folds ? new Body() : undefined
      if (!digest && !body) return undefined
      const onPart = (part: Uint8Array) => {
        digest?.update(part)
        body?.take(part)
      }
      return payloadInto(onPart, head && listOf(head, 'transfer-encoding').at(-1) === 'chunked')
    },
    read: () => ({
      status: undefined,
      contentType: head && fieldOf(head, 'content-type'),
      payloadDigest: text(),
      head,
      request: wanted.request && head ? requestRead(record, head, body) : undefined,
    }),
  }
}

function requestRead(record: ArchiveRecord, head: RequestHead, body: Body | undefined): RequestRead {
  return { method: head.method.toUpperCase(), head, folded: body && foldedRequest(record, head, body.bytes()) }
}

/** The payload digest of a record. `digest` computes it, where the record does not name it. */
interface PayloadDigest {
  digest: Digester | undefined
  /** Returns the digest, after all of the payload; empty when it is not wanted. */
  text(): string
}

function payloadDigestFor(record: ArchiveRecord, wanted: Wanted): PayloadDigest {
  const named = wanted.digest ? digestNamed(record) : ''
  if (named !== undefined) return { digest: undefined, text: () => named }
  const digest = digester('sha1')
  return { digest, text: () => digest.base32() }
}

/** Returns the payload digest that the record names; empty when it has no payload; undefined when the digest has to
 *  be computed. A revisit omits its payload, and a segment has only part of it (WARC 1.1, 5.9). For other content
 *  than HTTP the block is the payload (WARC 1.1, 6.1). */
function digestNamed(record: ArchiveRecord): string | undefined {
  const payload = recordField(record, 'warc-payload-digest')
  const named = payload === undefined ? undefined : namedDigest(payload)
  if (named !== undefined) return named
  if (record.type === 'revisit' || record.url === undefined) return ''
  if (recordField(record, 'warc-segment-number') !== undefined) return ''
  const block = isHttpRecord(record) ? undefined : recordField(record, 'warc-block-digest')
  const ofBlock = block === undefined ? undefined : namedDigest(block)
  return ofBlock?.startsWith('sha1:') ? ofBlock : undefined
}

function foldedRequest(record: ArchiveRecord, head: RequestHead, body: Uint8Array): FoldedRequest {
  return foldRequest({
    url: record.url ?? '',
    method: head.method,
    contentType: fieldOf(head, 'content-type'),
    lengthField: fieldOf(head, 'content-length'),
    body,
  })
}

/** Reads the first bytes of the block, as many as `head` needs. Returns those after the head. */
async function beginning(block: Block, head: NonNullable<Reading['head']>): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array(0)
  for (;;) {
    const step = await block.next()
    // A copy is made when the bytes have to be kept, because the producer may reuse its buffer.
    if (!step.done) bytes = bytes.length === 0 ? step.value : Buffer.concat([bytes, step.value])
    const headBytes = head(bytes, !step.done && bytes.length < headBytesMax)
    if (headBytes !== undefined) return bytes.subarray(headBytes)
    if (bytes === step.value) bytes = Uint8Array.from(bytes)
  }
}

/** Returns a sink that passes the payload to `onPart`, without chunk framing. */
function payloadInto(onPart: (bytes: Uint8Array) => void, chunked: boolean | undefined): Sink {
  if (!chunked) return { take: onPart, end: () => undefined }
  const chunks = new ChunkReader(onPart)
  return { take: (bytes) => void chunks.push(bytes), end: () => chunks.end() }
}

/** Passes the rest of the block to `sink`, beginning with bytes that were read before. */
async function pour(first: Uint8Array, block: Block, sink: Sink): Promise<void> {
  if (first.length > 0) sink.take(first)
  for (let step = await block.next(); !step.done; step = await block.next()) sink.take(step.value)
  sink.end()
}

/** Collects the beginning of a request's body, at most `requestBodyBytesMax` bytes. */
class Body {
  #parts: Uint8Array[] = []
  #length = 0

  take(part: Uint8Array): void {
    const wanted = part.subarray(0, requestBodyBytesMax - this.#length)
    if (wanted.length === 0) return
    this.#parts.push(Uint8Array.from(wanted))
    this.#length += wanted.length
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts)
  }
}
