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
  const reading = newReading(record, wanted)
  if (!isHttpRecord(record)) {
    const { digest } = reading
    if (digest)
      await pour(
        new Uint8Array(0),
        block,
        payloadInto((bytes) => digest.update(bytes), false),
      )
    return plainRead(reading)
  }
  if (record.type === 'request') {
    const { bytes, found: head } = await beginning(block, requestHead)
    const sinks = requestSinks(reading, head)
    if (sinks) await pour(bytes.subarray(head?.bytes ?? 0), block, sinks.sink)
    return requestRead(reading, head, sinks?.body)
  }
  const { bytes, found: summary } = await beginning(block, responseSummary)
  const sink = responseSink(reading, summary)
  if (sink) await pour(bytes.subarray(summary?.bytes ?? 0), block, sink)
  return responseRead(reading, bytes, summary)
}

/** Does the same as `readBlock` for a block that is in memory as a whole. */
export function readHeldBlock(record: ArchiveRecord, block: Uint8Array, wanted: Wanted): BlockRead {
  const reading = newReading(record, wanted)
  if (!isHttpRecord(record)) {
    reading.digest?.update(block)
    return plainRead(reading)
  }
  if (record.type === 'request') {
    const head = parseRequestHead(block)?.head
    const sinks = requestSinks(reading, head)
    if (sinks) takeAll(sinks.sink, block.subarray(head?.bytes ?? 0))
    return requestRead(reading, head, sinks?.body)
  }
  const found = responseSummary(block, false)
  const summary = found === 'more' ? undefined : found
  const sink = responseSink(reading, summary)
  if (sink) takeAll(sink, block.subarray(summary?.bytes ?? 0))
  return responseRead(reading, block, summary)
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

/** A block that is being read. */
interface Reading {
  record: ArchiveRecord
  wanted: Wanted
  /** The payload digest that the record names; undefined when it has to be computed, by `digest`. */
  named: string | undefined
  digest: Digester | undefined
}

function newReading(record: ArchiveRecord, wanted: Wanted): Reading {
  const named = wanted.digest ? digestNamed(record) : ''
  return { record, wanted, named, digest: named === undefined ? digester('sha1') : undefined }
}

function payloadDigestOf({ named, digest }: Reading): string {
  return named ?? digest?.base32() ?? ''
}

function plainRead(reading: Reading): BlockRead {
  return {
    status: undefined,
    contentType: reading.record.contentType,
    payloadDigest: payloadDigestOf(reading),
    head: undefined,
    request: undefined,
  }
}

/** Takes the bytes of a body. `end` is called after the last ones. */
interface Sink {
  take(bytes: Uint8Array): void
  end(): void
}

/** Returns what takes the bytes after the head of a response; undefined when they are not needed. */
function responseSink({ digest }: Reading, summary: HeadSummary | undefined): Sink | undefined {
  return digest && payloadInto((part) => digest.update(part), summary?.chunked)
}

function responseRead(reading: Reading, bytes: Uint8Array, summary: HeadSummary | undefined): BlockRead {
  return {
    status: summary?.status,
    contentType: summary?.contentType,
    payloadDigest: payloadDigestOf(reading),
    head: reading.wanted.head ? parseResponseHead(bytes)?.head : undefined,
    request: undefined,
  }
}

/** Returns what takes the bytes after the head of a request, with the body when it becomes part of a key; undefined when the
 *  bytes are not needed. */
function requestSinks(
  { wanted, digest }: Reading,
  head: RequestHead | undefined,
): { sink: Sink; body: Body | undefined } | undefined {
  const folds = wanted.request && head !== undefined && head.method.toUpperCase() !== 'GET'
  const body = folds ? new Body() : undefined
  if (!digest && !body) return undefined
  const chunked = head && listOf(head, 'transfer-encoding').at(-1) === 'chunked'
  const onPart = (part: Uint8Array) => {
    digest?.update(part)
    body?.take(part)
  }
  return { sink: payloadInto(onPart, chunked), body }
}

function requestRead(reading: Reading, head: RequestHead | undefined, body: Body | undefined): BlockRead {
  const request = reading.wanted.request && head ? { method: head.method.toUpperCase(), head } : undefined
  return {
    status: undefined,
    contentType: head && fieldOf(head, 'content-type'),
    payloadDigest: payloadDigestOf(reading),
    head,
    request: request && { ...request, folded: body && foldedRequest(reading.record, request.head, body.bytes()) },
  }
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

function requestHead(bytes: Uint8Array, mayGoOn: boolean): RequestHead | 'more' | undefined {
  return mayGoOn && headEnd(bytes, 0) < 0 ? 'more' : parseRequestHead(bytes)?.head
}

/** Reads the first bytes of the block, as many as `find` needs. `find` returns `more` while it needs further bytes
 *  and `mayGoOn` is true. */
async function beginning<Found>(
  block: Block,
  find: (bytes: Uint8Array, mayGoOn: boolean) => Found | 'more',
): Promise<{ bytes: Uint8Array; found: Found | undefined }> {
  let bytes: Uint8Array = new Uint8Array(0)
  for (;;) {
    const step = await block.next()
    // A copy is made when the bytes have to be kept, because the producer may reuse its buffer.
    if (!step.done) bytes = bytes.length === 0 ? step.value : Buffer.concat([bytes, step.value])
    const found = find(bytes, !step.done && bytes.length < headBytesMax)
    if (found !== 'more') return { bytes, found }
    if (bytes === step.value) bytes = Uint8Array.from(bytes)
  }
}

/** Returns a sink that passes the payload to `onPart`, without chunk framing. */
function payloadInto(onPart: (bytes: Uint8Array) => void, chunked: boolean | undefined): Sink {
  if (!chunked) return { take: onPart, end: () => undefined }
  const chunks = new ChunkReader(onPart)
  return { take: (bytes) => void chunks.push(bytes), end: () => chunks.end() }
}

function takeAll(sink: Sink, bytes: Uint8Array): void {
  sink.take(bytes)
  sink.end()
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
