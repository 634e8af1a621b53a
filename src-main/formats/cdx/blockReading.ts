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
import { responseGlance } from './headGlance.ts'
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
  const named = wanted.digest ? digestNamed(record) : ''
  const digest = named === undefined ? digester('sha1') : undefined
  const reading = { record, block, wanted, digest }
  const read = await (!isHttpRecord(record)
    ? readPlain(reading)
    : record.type === 'request'
      ? readAsked(reading)
      : readAnswered(reading))
  read.payloadDigest = named ?? digest?.base32() ?? ''
  return read
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

/** A block that is being read. `digest` is set when the payload digest has to be computed. */
interface Reading {
  record: ArchiveRecord
  block: Block
  wanted: Wanted
  digest: Digester | undefined
}

async function readPlain({ record, block, digest }: Reading): Promise<BlockRead> {
  if (digest) for (let step = await block.next(); !step.done; step = await block.next()) digest.update(step.value)
  return {
    status: undefined,
    contentType: record.contentType,
    payloadDigest: '',
    head: undefined,
    request: undefined,
  }
}

async function readAnswered({ block, wanted, digest }: Reading): Promise<BlockRead> {
  const { bytes, found: glance } = await beginning(block, responseGlance)
  const payload = digest && payloadInto((part) => digest.update(part), glance?.chunked)
  if (payload) await pour(bytes.subarray(glance?.bytes ?? 0), block, payload)
  const head = wanted.head ? parseResponseHead(bytes)?.head : undefined
  return { status: glance?.status, contentType: glance?.contentType, payloadDigest: '', head, request: undefined }
}

async function readAsked({ record, block, wanted, digest }: Reading): Promise<BlockRead> {
  const { bytes, found: head } = await beginning(block, requestHead)
  const folds = wanted.request && head !== undefined && head.method.toUpperCase() !== 'GET'
  const body = folds ? new Body() : undefined
  if (digest || body) {
    const sink = (part: Uint8Array) => {
      digest?.update(part)
      body?.take(part)
    }
    const chunked = head && listOf(head, 'transfer-encoding').at(-1) === 'chunked'
    await pour(bytes.subarray(head?.bytes ?? 0), block, payloadInto(sink, chunked))
  }
  const request = wanted.request && head ? { method: head.method.toUpperCase(), head, folded: undefined } : undefined
  return {
    status: undefined,
    contentType: head && fieldOf(head, 'content-type'),
    payloadDigest: '',
    head,
    request: request && { ...request, folded: body && foldedRequest(record, request.head, body.bytes()) },
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

/** Returns a function that passes the payload to `sink`, without chunk framing. */
function payloadInto(sink: (part: Uint8Array) => void, chunked: boolean | undefined): (bytes: Uint8Array) => void {
  if (!chunked) return sink
  const chunks = new ChunkReader(sink)
  return (bytes) => void chunks.push(bytes)
}

/** Passes the rest of the block to `sink`, beginning with bytes that were read before. */
async function pour(first: Uint8Array, block: Block, sink: (bytes: Uint8Array) => void): Promise<void> {
  if (first.length > 0) sink(first)
  for (let step = await block.next(); !step.done; step = await block.next()) sink(step.value)
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
