/** Yields the captures of an archive file for an index. Each record is read only as far as its line requires, or
 *  completely with `verify`. Sorting and lookup are in indexes. */
import { BlockDigests } from '../records/blockDigests.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { digester } from '../bytes/digest.ts'
import { windowBytes, type ByteSource } from '../bytes/fileWindow.ts'
import { readRecords } from '../records/readRecords.ts'
import type { ArchiveRecord } from '../records/record.ts'
import { readBlock, type BlockRead, type RequestRead } from './blockReading.ts'
import { answeringTypes, captureTypes, revisitMediaType, type Capture, type CaptureType } from './capture.ts'
import { isHeadField, isRequestField, ownFields, withRequest } from './captureFields.ts'
import { RequestPairs } from './requestPairs.ts'
import { surt } from './surt.ts'
import { parseTimestamp } from './timestamp.ts'

/** Options for indexing a file. */
export interface CaptureOptions {
  /** `trust`: digests named by a record are used unchanged; `verify`: every digest is compared with the bytes, and a
   *  mismatch is reported as a finding. */
  digests: 'trust' | 'verify'
  /** Fold requests other than GET into the keys of their responses. */
  post: boolean
  /** Types of records to list; `answeringTypes` by default. */
  types?: readonly CaptureType[]
  /** Add the SHA-256 of each record's bytes in the file. */
  recordDigests?: boolean
  /** Additional fields for each capture, under the names of cdxj-indexer (see captureFields.ts). */
  fields?: readonly string[]
}

/** A capture, or a finding about the record or the bytes before it. */
export type CaptureFound = { capture: Capture } | { finding: Finding }

/** Yields captures and findings in the order of the file. `filename` is the file name that the captures state. */
export async function* capturesOf(
  source: ByteSource,
  filename: string,
  options: CaptureOptions,
): AsyncGenerator<CaptureFound> {
  const found: CaptureFound[] = []
  const onFinding = (made: Finding) => void found.push({ finding: made })
  const indexer = new Indexer({ source, filename, options, onFinding })
  for await (const record of readRecords(source, { onFinding })) {
    for (const capture of await indexer.take(record)) found.push({ capture })
    if (found.length > 0) yield* found.splice(0)
  }
  for (const capture of indexer.end()) found.push({ capture })
  yield* found
}

interface Indexing {
  source: ByteSource
  filename: string
  options: CaptureOptions
  onFinding: (made: Finding) => void
}

/** Turns records into captures, one record after the other. */
class Indexer {
  #indexing: Indexing
  #types: ReadonlySet<CaptureType>
  #fields: readonly string[]
  #wantsHead: boolean
  /** Pairs of requests and responses; undefined when neither keys nor fields need requests. */
  #pairs: RequestPairs<Capture, RequestRead> | undefined

  constructor(indexing: Indexing) {
    const { types = answeringTypes, fields = [], post } = indexing.options
    this.#indexing = indexing
    this.#types = new Set(types)
    this.#fields = fields
    this.#wantsHead = fields.some(isHeadField)
    if (post || fields.some(isRequestField)) this.#pairs = new RequestPairs((...pair) => this.#join(...pair))
  }

  /** Reads a record to its end. Returns the captures that are complete, possibly of previous records. */
  async take(record: ArchiveRecord): Promise<Capture[]> {
    const type = captureTypes.find((known) => known === record.type)
    const wanted = type !== undefined && this.#types.has(type)
    const reading = this.#read(record, wanted)
    const read = reading && (await reading)
    const { length, findings } = await record.finish()
    findings.forEach(this.#indexing.onFinding)
    const capture = type && wanted && read ? this.#capture({ record, type, length, read }) : undefined
    const { source, options } = this.#indexing
    if (capture && options.recordDigests)
      capture.recordDigest = await recordDigest(source, { offset: record.offset, length })
    const pairs = this.#pairs
    if (!pairs) return capture ? [capture] : none
    pairs.next()
    if (read?.request) pairs.addRequest(record, read.request)
    if (capture && read?.request) this.#join(capture, read.request)
    if (capture && (type === 'response' || type === 'revisit')) pairs.addResponse(record, capture)
    else if (capture) pairs.addSettled(capture)
    return pairs.released()
  }

  /** Returns the captures that are still waiting, at the end of the file. */
  end(): Capture[] {
    return this.#pairs?.end() ?? none
  }

  /** Returns undefined when no part of the block is needed. */
  #read(record: ArchiveRecord, wanted: boolean): Promise<BlockRead> | undefined {
    const request = this.#pairs !== undefined && record.type === 'request'
    if (this.#indexing.options.digests === 'verify') return this.#verified(record, request)
    if (!wanted && !request) return undefined
    return readBlock(record, blockOf(record), { digest: wanted, head: this.#wantsHead, request })
  }

  async #verified(record: ArchiveRecord, request: boolean): Promise<BlockRead> {
    const digests = new BlockDigests(record)
    const block = fedTo(digests, record)
    const read = await readBlock(record, block, { digest: false, head: this.#wantsHead, request })
    for (let step = await block.next(); !step.done;) step = await block.next()
    const { payloadDigest, findings } = digests.end()
    for (const made of findings) this.#indexing.onFinding({ ...made, offset: record.offset })
    return { ...read, payloadDigest: record.url === undefined ? '' : payloadDigest }
  }

  /** Makes the capture of a record. Returns undefined for a record that cannot be looked up: it has no URL, no
   *  valid date, or cannot be read by its offset alone. */
  #capture({ record, type, length, read }: Indexed): Capture | undefined {
    const { url, date, offset } = record
    if ((url === undefined && type !== 'warcinfo') || !record.addressable || length === 0) return undefined
    const timestampMs = parseTimestamp(date)
    if (timestampMs === undefined) {
      this.#indexing.onFinding(finding('dateInvalid', { date: date.slice(0, 40) }, offset))
      return undefined
    }
    const capture: Capture = {
      key: url === undefined ? '-' : surt(url),
      timestampMs,
      url: url ?? '',
      mediaType: type === 'revisit' ? revisitMediaType : mediaTypeOf(read.contentType),
      status: read.status,
      payloadDigest: read.payloadDigest,
      offset,
      length,
      filename: this.#indexing.filename,
      recordType: type,
    }
    return this.#fields.length > 0 ? withFields(capture, ownFields(this.#fields, record, read.head)) : capture
  }

  /** Completes a capture with its request. */
  #join(capture: Capture, request: RequestRead): void {
    if (this.#fields.length > 0) withFields(capture, withRequest(this.#fields, capture.fields ?? {}, request))
    if (!this.#indexing.options.post || !request.folded) return
    capture.key = surt(request.folded.url)
    capture.method = request.method
    capture.requestBody = request.folded.requestBody
  }
}

function withFields(capture: Capture, fields: Record<string, string>): Capture {
  if (Object.keys(fields).length > 0) capture.fields = fields
  return capture
}

const none: Capture[] = []

interface Indexed {
  record: ArchiveRecord
  type: CaptureType
  length: number
  read: BlockRead
}

/** Returns the block. A block in memory is returned at once: a stream for each page of 5 kB would cost more than all
 *  other work on it. */
function blockOf(record: ArchiveRecord): AsyncIterator<Uint8Array> {
  const { heldBlock } = record
  if (heldBlock === undefined) return record.block()[Symbol.asyncIterator]()
  let given = heldBlock.length === 0
  return {
    next() {
      if (given) return ended
      given = true
      return Promise.resolve({ done: false, value: heldBlock })
    },
  }
}

const ended = Promise.resolve({ done: true as const, value: undefined })

/** Yields the block, and feeds it to `digests`. */
async function* fedTo(digests: BlockDigests, record: ArchiveRecord): AsyncGenerator<Uint8Array> {
  for await (const bytes of record.block()) {
    digests.update(bytes)
    yield bytes
  }
}

/** Returns the media type without parameters. */
function mediaTypeOf(contentType: string | undefined): string {
  if (contentType === undefined) return ''
  const text = contentType.trim()
  const end = text.search(/[;\s,]/)
  return end < 0 ? text : text.slice(0, end)
}

/** Computes the SHA-256 over the record's bytes in the file, packed or not. */
async function recordDigest(source: ByteSource, place: { offset: number; length: number }): Promise<string> {
  const digest = digester('sha256')
  const buffer = new Uint8Array(Math.min(windowBytes, place.length))
  for (let done = 0; done < place.length;) {
    const read = await source.read(buffer.subarray(0, place.length - done), place.offset + done)
    if (read === 0) break
    digest.update(buffer.subarray(0, read))
    done += read
  }
  return `sha256:${digest.hex()}`
}
