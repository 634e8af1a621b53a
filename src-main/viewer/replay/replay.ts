/** Makes the reply for one capture: status and fields as archived, the body without transfer coding, whole or the requested
 *  part. Choosing among captures is done in `captures.ts`. */
import type { Truncation } from '../../contract/states/outcomes.ts'
import { fieldOf, listOf, locationOf, type HttpHead } from '../../formats/http/http.ts'
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
import { shownFields } from './archivedFields.ts'
import { openRecord } from '../records/archivedRecord.ts'
import type { ArchivedRecord } from '../records/openedRecord.ts'
import { closeContent, countBytes, peek, readAhead, type Content } from '../model/content.ts'
import { accepts, decodedStream, isDecodable, isReallyCoded } from '../records/contentCodings.ts'
import { wholeBodyBytesMax } from '../model/limits.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import { openDuplicate } from './duplicates.ts'
import { openOriginal } from './originals.ts'
import { partialReply } from './partialReplies.ts'
import type { OtherCaptures, Tried } from '../viewings/question.ts'
import { contentRange, rangeOf, rangesOf } from './range.ts'
import { reasonOf, withoutBody, type BrowserRequest, type Field, type Reply } from '../model/reply.ts'
import { hasNoBody } from '../proxy/send.ts'
import { conditionStatus, ifRangeAgrees, ownETag, type Validators } from './validators.ts'

/** The request, and what is needed to answer it. */
export interface Replaying {
  files: OpenFiles
  index: Pick<CaptureIndex, 'originals'>
  request: BrowserRequest
  /** Captures of a URL in jobs that are not viewed, for the original of a duplicate. */
  otherCaptures?: ((url: string) => OtherCaptures | Promise<OtherCaptures>) | undefined
  /** If set, receives the captures in which the content of a revisit or duplicate was looked for, for an explanation. */
  hops?: Tried[] | undefined
}

/** Makes the reply. Undefined: the capture cannot answer this request, but another one may. Rejects with `Unreadable`. */
export async function replayCapture(replaying: Replaying, capture: IndexedCapture): Promise<Reply | undefined> {
  const { request } = replaying
  const shown = await openShown(replaying, capture)
  const { head } = shown
  const partial = head.status === 206 ? contentRange(fieldOf(head, 'content-range')) : undefined
  const isWhole = partial !== undefined && partial.first === 0 && partial.last + 1 === partial.total
  const status = isWhole ? 200 : head.status
  if (isNoAnswer(status, head, request.url) || (status === 206 && partial === undefined)) {
    await closeContent(shown.body)
    return undefined
  }
  const entity = await entityOf(
    shown,
    wantsPart(request, status) || !accepts(request.fields['accept-encoding']?.toString(), codingsOf(head)),
  )
  const { reply, validators } = described({
    ...{ status, head, capture, isWhole, isDecoded: entity.isDecoded },
    truncated: shown.truncated,
  })
  const condition = status === 200 && isRead(request) ? conditionStatus(request.fields, validators) : undefined
  if (condition !== undefined) {
    await closeContent(entity.body)
    return condition === 304 ? notModified(reply) : refused(reply, { status: condition })
  }
  const answer =
    status === 206 && partial
      ? await partOfPart({ ...reply, entity, partial, request })
      : await wholeOrPart({
          ...{ ...reply, entity, request, validators },
          again: () => openEntityAgain(replaying, capture, entity),
        })
  return answer && request.method === 'HEAD' ? withoutBody(answer) : answer
}

function isRead({ method }: BrowserRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

interface Described {
  status: number
  head: HttpHead
  capture: IndexedCapture
  isWhole: boolean
  isDecoded: boolean
  /** Why the content is incomplete; for a revisit, that of its original. */
  truncated: Truncation | undefined
}

/** The reply without its body, and its validators. */
function described({ status, head, capture, isWhole, isDecoded, truncated }: Described) {
  const own = ownETag(capture, isDecoded)
  const validators = { own, etag: fieldOf(head, 'etag'), lastModified: fieldOf(head, 'last-modified') }
  const shown = shownFields(head.fields, capture.timestampMs)
  const fields = isDecoded ? shown.map(withCodingRenamed) : shown
  // Coded content is decoded for browsers that cannot decode it (RFC 9110 12.5.5).
  if (codingsOf(head).length > 0) fields.push(['Vary', 'Accept-Encoding'])
  if (status === 200 || status === 206) fields.push(['ETag', own])
  if (truncated) fields.push(['X-Loupe-Truncated', truncated])
  const reason = isWhole ? 'OK' : head.reason
  return { reply: { status, reason, fields, capture, truncated, missing: false }, validators }
}

/** Fields that a 304 repeats because they may have changed (RFC 9110 15.4.5). Fields that describe content are not sent. */
const notModifiedFields = new Set(['cache-control', 'content-location', 'date', 'etag', 'memento-datetime', 'vary'])

function notModified(reply: Omit<Reply, 'body'>): Reply {
  const fields = reply.fields.filter(([name]) => notModifiedFields.has(name.toLowerCase()))
  return { ...reply, status: 304, reason: reasonOf[304] ?? '', fields, representation: reply, body: new Uint8Array(0) }
}

/** Opens the record to show. For a duplicate, the one that its crawl log names. For a revisit, its own head, which may differ
 *  in status or cookies, with the body of its original. */
async function openShown(replaying: Replaying, capture: IndexedCapture): Promise<ArchivedRecord> {
  if (capture.recordType === 'duplicate') return openDuplicate(replaying, capture)
  const record = await openRecord(replaying.files, capture, replaying.request.signal)
  if (capture.recordType !== 'revisit') return record
  await closeContent(record.body)
  const { head, ...body } = await openOriginal(replaying, record.item, capture)
  return { ...body, head: record.head.status === 304 ? head : recoded(record.head, head) }
}

/** The head of a revisit with the content codings of its original, because the body is that of the original. */
function recoded(head: HttpHead, original: HttpHead): HttpHead {
  const codings = original.fields.filter(([name]) => name.toLowerCase() === 'content-encoding')
  return { ...head, fields: [...withoutCoding(head.fields), ...codings] }
}

/** Whether a response cannot answer a browser: a 304 means that the client had the page, which a new one has not; 1xx are not
 *  final; a redirect to the requested URL (from http to https under one key, for example) would loop, as would one through
 *  other URLs (`redirectLoops.ts`). */
function isNoAnswer(status: number, head: HttpHead, url: string): boolean {
  if (status === 304 || status < 200) return true
  const location = status >= 300 && status < 400 ? locationOf(head, url) : undefined
  return location !== undefined && requestedUrl(location) === requestedUrl(URL.parse(url))
}

/** The URL as a browser requests it: without fragment, and with escapes in one case. */
export function requestedUrl(url: URL | null): string | undefined {
  return url?.href.replace(/#.*/s, '').replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
}

/** Whether the request asks for a range of a response that can have one. */
function wantsPart({ method, fields }: BrowserRequest, status: number): boolean {
  return method === 'GET' && fields.range !== undefined && (status === 200 || status === 206)
}

/** The body in the coding in which it is sent. */
interface Entity {
  body: Content
  /** Length, if it is known without reading. */
  bytes: number | undefined
  isDecoded: boolean
}

/** The body as it will be sent. Ranges always refer to decoded content, because that is what browsers count. */
async function entityOf(record: ArchivedRecord, mustDecode: boolean): Promise<Entity> {
  const codings = codingsOf(record.head)
  if (codings.length === 0 || hasNoBody(record.head.status))
    return { body: record.body, bytes: record.bodyBytes, isDecoded: false }
  const { first, content } = await peek(record.body)
  if (!isReallyCoded(first, codings)) return { body: content, bytes: record.bodyBytes, isDecoded: true }
  if (!mustDecode || !isDecodable(codings)) return { body: content, bytes: record.bodyBytes, isDecoded: false }
  return { body: decodedStream(content, codings), bytes: undefined, isDecoded: true }
}

/** Opens the same body again, to count its bytes before a range of it is sent. */
async function openEntityAgain(replaying: Replaying, capture: IndexedCapture, { isDecoded }: Entity): Promise<Content> {
  return (await entityOf(await openShown(replaying, capture), isDecoded)).body
}

/** A reply in the making: all but its body. */
interface Made extends Omit<Reply, 'body'> {
  entity: Entity
  request: BrowserRequest
}

/** Answers from a complete capture with all of it, ranges of it, or 416. */
async function wholeOrPart(made: Made & { validators: Validators; again: () => Promise<Content> }): Promise<Reply> {
  const { entity, request, validators, again, ...reply } = made
  if (hasNoBody(reply.status)) {
    await closeContent(entity.body)
    // A 205 says that it has no content (RFC 9110 15.3.6), which HTTP/1.1 does not imply for it.
    const none: Field[] = reply.status === 205 ? [['Content-Length', '0']] : []
    return { ...reply, fields: [...reply.fields, ...none], body: new Uint8Array(0) }
  }
  const body = await readAhead(entity.body, wholeBodyBytesMax)
  const known = body instanceof Uint8Array ? body.length : entity.bytes
  const honoured = wantsPart(request, reply.status) && ifRangeAgrees(request.fields['if-range']?.toString(), validators)
  const total = honoured && known === undefined ? await countBytes(await again(), request.signal) : known
  const asked = honoured && total !== undefined ? rangesOf(request.fields.range, total) : { kind: 'whole' as const }
  const ranges: Field[] = reply.status === 200 ? [['Accept-Ranges', 'bytes']] : []
  if (asked.kind === 'whole') {
    const length: Field[] = total === undefined ? [] : [['Content-Length', String(total)]]
    return { ...reply, fields: [...reply.fields, ...ranges, ...length], body }
  }
  if (asked.kind === 'parts')
    return partialReply({ ...reply, fields: [...reply.fields, ...ranges] }, body, { ...asked, total })
  await closeContent(body)
  return refused(reply, { status: 416, fields: [['Content-Range', `bytes */${total}`]] })
}

/** A refusal (412, 416) without fields of the capture. */
function refused(
  reply: Omit<Reply, 'body'>,
  { status, fields: further = [] }: { status: number; fields?: Field[] },
): Reply {
  const fields: Field[] = [...further, ['Content-Length', '0'], ['Cache-Control', 'no-cache']]
  return { ...reply, status, reason: reasonOf[status] ?? '', fields, body: new Uint8Array(0) }
}

/** Answers from an archived 206: only for the bytes that it has, counted in the whole representation. */
async function partOfPart(
  made: Made & { partial: { first: number; last: number; total: number | undefined } },
): Promise<Reply | undefined> {
  const { entity, request, partial, ...reply } = made
  const range = rangeOf(request.method === 'GET' ? request.fields.range : undefined, partial.total ?? partial.last + 1)
  const within = range.kind === 'part' && range.first >= partial.first && range.first <= partial.last
  const body = within ? await readAhead(entity.body, wholeBodyBytesMax) : undefined
  if (
    !within ||
    body === undefined ||
    (body instanceof Uint8Array && body.length !== partial.last - partial.first + 1)
  ) {
    await closeContent(entity.body)
    return undefined
  }
  const last = Math.min(range.last, partial.last)
  const ranges = [{ first: range.first, last }] as const
  return partialReply(reply, body, { ranges, total: partial.total, skipped: partial.first })
}

/** Content codings in field order, without identity. */
function codingsOf(head: HttpHead): string[] {
  return listOf(head, 'content-encoding').filter((coding) => coding !== 'identity')
}

/** Renames Content-Encoding for content that is sent decoded. */
function withCodingRenamed([name, value]: Field): Field {
  return name.toLowerCase() === 'content-encoding' ? [`X-Archive-Orig-${name}`, value] : [name, value]
}

function withoutCoding(fields: HttpHead['fields']): HttpHead['fields'] {
  return fields.filter(([name]) => name.toLowerCase() !== 'content-encoding')
}
