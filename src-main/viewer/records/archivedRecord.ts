/** Opens one archived record for the browser: its HTTP head and its body. Records that cannot be read are reported as
 *  `Unreadable`, so that the caller can try the next capture. */
import { message, type Message } from '../../contract/words/message.ts'
import {
  dechunk,
  dechunked,
  fieldOf,
  headEnd,
  listOf,
  parseResponseHead,
  type HttpHead,
} from '../../formats/http/http.ts'
import { checkLength } from '../../formats/check/checkBlock.ts'
import { surt } from '../../formats/cdx/surt.ts'
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../../formats/records/record.ts'
import { truncationOf } from '../../formats/records/truncation.ts'
import type { RuleName } from '../../formats/rules/rules.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { DiskFault } from '../../world/world.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { countBytes, streamOf, watched } from '../model/content.ts'
import { decoded, decodedStream, isDecodable } from './contentCodings.ts'
import type { OpenFiles } from './openFiles.ts'
import type { ArchivedRecord, RecordPlace } from './openedRecord.ts'
import { Unreadable } from '../model/unreadable.ts'

/** Maximum length of a head that is parsed: the same as in the indexes. */
const headBytesMax = 256 * 1024

/** Names a record in a message. */
export function recordPlace({ filename, offset }: Pick<RecordPlace, 'filename' | 'offset'>): Message {
  return message('viewer.record.place', { file: filename, offset })
}

/** Opens a record, whose body the caller closes. Rejects with `Unreadable`. A record that was found damaged before is read
 *  through first: it fails here, where another capture can be used, unless it was repaired since. */
export async function openRecord(files: OpenFiles, capture: RecordPlace, signal: AbortSignal): Promise<ArchivedRecord> {
  const { broken, recent } = files
  if (broken.has(capture)) {
    await countBytes((await openedRecord(files, capture)).body, signal)
    broken.forget(capture)
  }
  const known = recent.get(capture)
  // A file that was deleted from the archive is no longer shown.
  if (known && files.archived(capture.filename)) return known
  const record = await openedRecord(files, capture)
  recent.put(capture, record)
  return record
}

async function openedRecord(files: OpenFiles, capture: RecordPlace): Promise<ArchivedRecord> {
  const where = recordPlace(capture)
  const opened = await files.borrow(capture.filename)
  if (opened === undefined) throw new Unreadable(message('viewer.record.noReplica', { file: capture.filename }))
  const close = opened.release
  try {
    const record = await recordIn(opened.file, { capture, where, close })
    const onBreak = (error: unknown) => {
      const found = asUnreadable(error, where)
      if (found instanceof Unreadable) files.broken.note(capture)
      throw found
    }
    return { ...record, body: watched(record.body, onBreak) }
  } catch (error) {
    await close()
    throw asUnreadable(error, where)
  }
}

/** Converts a fault of the disk, such as an unplugged drive. */
function asUnreadable(error: unknown, place: Message): unknown {
  if (!(error instanceof DiskFault)) return error
  return new Unreadable(message('viewer.record.failed', { place, problem: diskMessage(error) }), { cause: error })
}

interface Place {
  capture: RecordPlace
  /** Names the record in messages. */
  where: Message
  close: () => Promise<void>
}

/** Reads the record of a capture, and checks that it is the record of the capture's URL. */
async function recordIn(source: ByteSource, { capture, where, close }: Place): Promise<ArchivedRecord> {
  const item = await readRecordAt(source, capture.offset, capture.length || Infinity)
  if (item === undefined) throw new Unreadable(message('viewer.record.absent', { place: where }))
  const [url, expected] = [item.url ?? '', capture.url]
  // An outdated or wrong index must not show one page as another.
  if (url !== expected && surt(url) !== surt(expected))
    throw new Unreadable(message('viewer.record.otherUrl', { place: where, url, expected }))
  return contentOf(item, { where, close })
}

/** The content of a record, whatever its URL. Rejects with `Unreadable`. */
export async function contentOf(item: ArchiveRecord, place: Pick<Place, 'where' | 'close'>): Promise<ArchivedRecord> {
  const { heldBlock } = item
  return heldBlock === undefined ? streamedContent(item, place) : heldContent(item, heldBlock, place)
}

/** For records that were small enough to be unpacked into memory, as nearly all are. */
async function heldContent(
  item: ArchiveRecord,
  block: Uint8Array,
  { where, close }: Pick<Place, 'where' | 'close'>,
): Promise<ArchivedRecord> {
  const { findings } = await item.finish()
  const lost = findings.find(isLoss)
  if (lost) throw damaged(where, lost)
  if (!isHttp(item)) {
    await close()
    return { item, head: resourceHead(item), body: block, bodyBytes: block.length, truncated: truncationOf(item) }
  }
  const read = finalHead(block, item)
  if (read === undefined) throw noAnswer(where)
  await close()
  const { codings, inner } = transferCodings(read.head)
  const arrived = inner === codings ? { bytes: read.rest, findings: [] } : dechunk(read.rest)
  const body = inner.length > 0 && isDecodable(inner) ? decodedStream(arrived.bytes, inner) : arrived.bytes
  const bodyBytes = body instanceof Uint8Array ? body.length : undefined
  const truncated = truncationOf(item, [...arrived.findings, ...checkLengthOf(item, read.head, bodyBytes)])
  return { item, head: read.head, body, bodyBytes, truncated }
}

/** For larger records: their bytes are verified while they are sent. */
async function streamedContent(
  item: ArchiveRecord,
  { where, close }: Pick<Place, 'where' | 'close'>,
): Promise<ArchivedRecord> {
  const block = item.block()[Symbol.asyncIterator]()
  const verified = (bytes: AsyncIterable<Uint8Array>, wholeBytes?: number) =>
    streamOf(verifiedAtEnd(bytes, { item, where, wholeBytes }), close)
  if (!isHttp(item)) {
    const body = verified(joined(undefined, block))
    return { item, head: resourceHead(item), body, bodyBytes: item.blockBytes, truncated: truncationOf(item) }
  }
  const { head, rest, headBytes } = await readHead(block, item, where)
  const body = joined(rest, block)
  const { codings, inner } = transferCodings(head)
  if (codings.length === 0) {
    const [framedBytes, statedBytes] = [item.blockBytes - headBytes, contentLength(head)]
    // Which of the two lengths is right is known only at the end.
    const isDoubtful = statedBytes !== undefined && framedBytes > statedBytes
    const truncated = truncationOf(item, checkLengthOf(item, head, framedBytes))
    return { item, head, body: verified(body, statedBytes), bodyBytes: isDoubtful ? undefined : framedBytes, truncated }
  }
  const arrived = inner === codings ? body : dechunked(body)
  const sent = isDecodable(inner) ? decoded(arrived, inner) : arrived
  return { item, head, body: verified(sent), bodyBytes: undefined, truncated: truncationOf(item) }
}

/** Compares the length of the body with Content-Length, except where a difference is no loss: a segment contains a part of the
 *  body, and some tools store a coded body decoded with the Content-Length of the coded one. */
function checkLengthOf(item: ArchiveRecord, head: HttpHead, bodyBytes: number | undefined): Finding[] {
  if (bodyBytes === undefined || item.type !== 'response' || listOf(head, 'content-encoding').length > 0) return []
  return recordField(item, 'warc-segment-number') === undefined ? checkLength(head, bodyBytes, false) : []
}

function isHttp({ contentType }: ArchiveRecord): boolean {
  return /^application\/http\b/i.test(contentType ?? '')
}

/** Transfer codings of a head; `inner` are those inside the chunks, which hardly any server uses (RFC 9112 6.1). Unknown ones
 *  are left as they are. */
function transferCodings(head: HttpHead): { codings: string[]; inner: string[] } {
  const codings = listOf(head, 'transfer-encoding').filter((coding) => coding !== 'identity')
  return { codings, inner: codings.at(-1) === 'chunked' ? codings.slice(0, -1) : codings }
}

/** The Content-Length of the server. Undefined if it is absent or invalid. */
function contentLength(head: HttpHead): number | undefined {
  const text = fieldOf(head, 'content-length')
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** The head for a record without HTTP: a `resource` record (WARC 1.1 6.4), and in an ARC anything that is not an HTTP response.
 *  Only its Content-Type is known. */
function resourceHead(item: ArchiveRecord): HttpHead {
  const mediaType = item.contentType ?? 'application/octet-stream'
  return { version: 'HTTP/1.1', status: 200, reason: 'OK', fields: [['Content-Type', mediaType]], bytes: 0 }
}

/** The head of a revisit that has none: as for a 304, the browser gets that of the original. */
const notModified: HttpHead = { version: 'HTTP/1.1', status: 304, reason: 'Not Modified', fields: [], bytes: 0 }

interface HeadRead {
  head: HttpHead
  /** Bytes after the head that were read with it. */
  rest: Uint8Array
  /** Bytes of the final head and of the interim ones (1xx) before it. */
  headBytes: number
}

/** Reads the block up to the end of its final head. Rejects with `Unreadable` when there is none. */
async function readHead(block: AsyncIterator<Uint8Array>, item: ArchiveRecord, where: Message): Promise<HeadRead> {
  let held: Uint8Array = new Uint8Array(0)
  for (;;) {
    const step = endsHead(held) ? undefined : await block.next()
    if (step && !step.done) {
      held = held.length === 0 ? step.value : Buffer.concat([held, step.value])
      continue
    }
    const read = finalHead(held, item)
    if (read === undefined) throw noAnswer(where)
    return read
  }
}

/** Whether the final head is complete, or too long to be one. */
function endsHead(held: Uint8Array): boolean {
  let at = 0
  for (let end = headEnd(held, at); end >= 0; end = headEnd(held, at)) {
    if (!isInterim(parseResponseHead(held.subarray(at, end))?.head)) return true
    at = end
  }
  return held.length - at >= headBytesMax
}

/** The final head in the beginning of a block. Undefined if there is no HTTP response. */
function finalHead(held: Uint8Array, item: ArchiveRecord): HeadRead | undefined {
  let headBytes = 0
  for (;;) {
    const head = parseResponseHead(held.subarray(headBytes))?.head
    // A revisit may have no head (WARC 1.1 6.7.2), and then uses that of its original.
    if (head === undefined && item.type === 'revisit') return { head: notModified, rest: new Uint8Array(0), headBytes }
    if (head === undefined) return undefined
    headBytes += head.bytes
    if (!isInterim(head)) return { head, rest: held.subarray(headBytes), headBytes }
  }
}

/** Whether this is an interim response, which precedes the final one (RFC 9110 15.2). */
function isInterim(head: HttpHead | undefined): boolean {
  return head !== undefined && head.status >= 100 && head.status < 200 && head.status !== 101
}

function noAnswer(place: Message): Unreadable {
  return new Unreadable(message('viewer.record.noResponse', { place }))
}

/** CRLF CRLF (WARC 1.1, 4). */
const recordEndBytes = 4

/** Rules about odd framing around a record. None of its bytes are lost. */
const harmless = new Set<RuleName>(['recordEndOdd', 'recordsShareMember', 'bytesAfterRecord'])

async function* joined(first: Uint8Array | undefined, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first !== undefined && first.length > 0) yield first
  for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value
}

/** Throws at the end if bytes of the record were lost. The last bytes are held back until then: a browser that knows the length
 *  takes a response as complete when it has all bytes. */
async function* verifiedAtEnd(
  bytes: AsyncIterable<Uint8Array>,
  { item, where, wholeBytes }: { item: ArchiveRecord; where: Message; wholeBytes: number | undefined },
): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined
  let given = 0
  for await (const part of bytes) {
    if (last !== undefined) yield last
    last = part
    given += part.length
  }
  const { findings } = await item.finish()
  // The record may be longer than its content (edited ARC files). The bytes that end the record then seem to belong to it.
  const tooMany = wholeBytes === undefined ? -1 : given - wholeBytes
  const isWhole = tooMany >= 0 && tooMany <= recordEndBytes
  const lost = findings.find((found) => isLoss(found) && !(isWhole && found.rule === 'recordTorn'))
  if (lost) throw damaged(where, lost)
  if (last !== undefined) yield last
}

/** Whether a finding says that bytes are missing or wrong. */
function isLoss({ rule, severity }: Finding): boolean {
  return severity === 'error' && !harmless.has(rule)
}

function damaged(place: Message, { message: problem }: Finding): Unreadable {
  return new Unreadable(message('viewer.record.damaged', { place, problem }))
}
