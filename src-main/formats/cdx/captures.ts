/** Yields the captures of an archive file for an index. Each record is read only as far as its line requires, or
 *  completely with `verify`. Sorting and lookup are in indexes. */
import { BlockDigests } from '../records/blockDigests.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { digester } from '../bytes/digest.ts'
import { windowBytes, type ByteSource } from '../bytes/fileWindow.ts'
import type { HeldRecord } from '../records/heldRecord.ts'
import { recordReader } from '../records/readRecords.ts'
import type { ArchiveRecord, FinishedRecord } from '../records/record.ts'
import { readBlock, readHeldBlock, type BlockRead, type RequestRead, type Wanted } from './blockReading.ts'
import {
  answeringTypes,
  captureTypes,
  mediaTypeOf,
  revisitMediaType,
  type Capture,
  type CaptureType,
} from './capture.ts'
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
  for await (const found of captureListsOf(source, filename, options)) yield* found
}

/** Maximum length of a list of captures that are yielded together. */
const listCapturesMax = 256

/** Does the same as `capturesOf` for an index of many captures: yields those together that were found without waiting. */
export async function* captureListsOf(
  source: ByteSource,
  filename: string,
  options: CaptureOptions,
): AsyncGenerator<CaptureFound[]> {
  const found: CaptureFound[] = []
  const onFinding = (made: Finding) => void found.push({ finding: made })
  const indexer = new Indexer({ source, filename, options, onFinding })
  const reader = recordReader(source, { onFinding })
  for await (const record of reader.records()) {
    for (const capture of await indexer.take(record)) found.push({ capture })
    // The digest of a record's bytes is read from the file.
    for (let held = nextHeld(); held; held = nextHeld())
      for (const capture of indexer.takeHeld(held)) found.push({ capture })
    if (found.length > 0) yield found.splice(0)
  }
  for (const capture of indexer.end()) found.push({ capture })
  yield found

  function nextHeld(): HeldRecord | undefined {
    return options.recordDigests || found.length >= listCapturesMax ? undefined : reader.nextHeld()
  }
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
    const { heldBlock } = record
    const read = heldBlock ? this.#readHeld(record, heldBlock) : await this.#read(record)
    const finished = await record.finish()
    const capture = this.#found(record, read, finished)
    const { source, options } = this.#indexing
    if (capture && options.recordDigests)
      capture.recordDigest = await recordDigest(source, { offset: record.offset, length: finished.length })
    return this.#paired(record, read, capture)
  }

  /** Does the same as `take`, without the digest of the record's bytes in the file. */
  takeHeld(record: HeldRecord): Capture[] {
    const read = this.#readHeld(record, record.heldBlock)
    return this.#paired(record, read, this.#found(record, read, record.finished))
  }

  /** Reports the findings of a record that is finished, and returns its capture when it is wanted. */
  #found(
    record: ArchiveRecord,
    read: BlockRead | undefined,
    { length, findings }: FinishedRecord,
  ): Capture | undefined {
    findings.forEach(this.#indexing.onFinding)
    const type = this.#wantedType(record)
    return type && read && this.#capture({ record, type, length, read })
  }

  /** Matches the record with its request or response. Returns the captures that are complete. */
  #paired(record: ArchiveRecord, read: BlockRead | undefined, capture: Capture | undefined): Capture[] {
    const pairs = this.#pairs
    if (!pairs) return capture ? [capture] : none
    pairs.next()
    if (read?.request) pairs.addRequest(record, read.request)
    if (capture && read?.request) this.#join(capture, read.request)
    if (capture && (record.type === 'response' || record.type === 'revisit')) pairs.addResponse(record, capture)
    else if (capture) pairs.addSettled(capture)
    return pairs.released()
  }

  #wantedType(record: ArchiveRecord): CaptureType | undefined {
    const type = captureTypes.find((known) => known === record.type)
    return type !== undefined && this.#types.has(type) ? type : undefined
  }

  /** Returns the captures that are still waiting, at the end of the file. */
  end(): Capture[] {
    return this.#pairs?.end() ?? none
  }

  /** Returns the parts of a block that are needed; undefined when there are none. */
  #wanted(record: ArchiveRecord): Wanted | undefined {
    const digest = this.#wantedType(record) !== undefined
    const request = this.#pairs !== undefined && record.type === 'request'
    if (this.#indexing.options.digests === 'verify') return { digest: false, head: this.#wantsHead, request }
    return digest || request ? { digest, head: this.#wantsHead, request } : undefined
  }

  async #read(record: ArchiveRecord): Promise<BlockRead | undefined> {
    const wanted = this.#wanted(record)
    if (!wanted) return undefined
    if (this.#indexing.options.digests === 'trust')
      return readBlock(record, record.block()[Symbol.asyncIterator](), wanted)
    const digests = new BlockDigests(record)
    const block = fedTo(digests, record)
    const read = await readBlock(record, block, wanted)
    for (let step = await block.next(); !step.done;) step = await block.next()
    return this.#verified(record, read, digests)
  }

  #readHeld(record: ArchiveRecord, block: Uint8Array): BlockRead | undefined {
    const wanted = this.#wanted(record)
    if (!wanted) return undefined
    const read = readHeldBlock(record, block, wanted)
    if (this.#indexing.options.digests === 'trust') return read
    const digests = new BlockDigests(record)
    if (block.length > 0) digests.update(block)
    return this.#verified(record, read, digests)
  }

  /** Completes what was read with the payload digest, and reports digests of the header that are wrong. */
  #verified(record: ArchiveRecord, read: BlockRead, digests: BlockDigests): BlockRead {
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

/** Yields the block, and feeds it to `digests`. */
async function* fedTo(digests: BlockDigests, record: ArchiveRecord): AsyncGenerator<Uint8Array> {
  for await (const bytes of record.block()) {
    digests.update(bytes)
    yield bytes
  }
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
