/** The documents with text in an archive file, as its records have them. Contents that the index has are not read again. */
import { createHash } from 'node:crypto'
import { namedDigest } from '../../../formats/cdx/indexDigest.ts'
import { mediaTypeOf } from '../../../formats/cdx/capture.ts'
import { parseTimestamp } from '../../../formats/cdx/timestamp.ts'
import { charsetParameter, fieldOf, parseResponseHead, payloadOf } from '../../../formats/http/http.ts'
import { recordField, type ArchiveRecord } from '../../../formats/records/record.ts'
import type { TextSource } from '../../../formats/text/extracted.ts'
import { textFormOf } from '../../../formats/text/extractText.ts'
import type { DocumentReader } from '../reading/documentReader.ts'
import { contentKey, type TextCapture, type TextDocument } from '../store/textWriter.ts'

/** Bytes of a document that are read, and of the head before it. */
const contentBytesMax = 16 * 1024 * 1024
const headBytesMax = 256 * 1024

/** Types without text, whose content need not be looked at. */
const withoutText =
  /^(?:image|audio|video|font)\/|^text\/(?:css|javascript)$|^application\/(?:javascript|json|zip|gzip|wasm|x-font|vnd\.ms-fontobject)/

/** What documents are read with. */
export interface Reading {
  /** Name of the archive file, and its job; 0: it belongs to none. */
  file: string
  job: number
  reader: DocumentReader
  /** Whether the index has this content. */
  has(key: string): boolean
}

/** Returns the document of a record; undefined for a record without one: of another type, a redirect, a picture. */
export async function documentOf(record: ArchiveRecord, reading: Reading): Promise<TextDocument | undefined> {
  const capture = captureOf(record, reading)
  if (!capture) return undefined
  if (record.type === 'revisit') return revisitOf(record, capture)
  const block = await blockOf(record)
  if (!block) return undefined
  const isHttp = isHttpRecord(record)
  const { head, payload, entity } = isHttp
    ? payloadOf(block, contentBytesMax)
    : { head: undefined, payload: block, entity: block }
  const contentType = (isHttp ? head && fieldOf(head, 'content-type') : record.contentType) ?? ''
  const status = head?.status ?? 0
  if (isRedirect(status)) return undefined
  const source: TextSource = {
    ...{ url: capture.url, mediaType: contentType, charset: charsetParameter(contentType) },
    body: entity.subarray(0, contentBytesMax),
  }
  const digest = digestOf(record, payload)
  return readDocument({ ...capture, status, mediaType: essenceOf(contentType) }, { source, digest }, reading)
}

/** Reads a document whose payload has this digest, unless the index has its content. Undefined: it has no text. */
export async function readDocument(
  capture: TextCapture,
  { source, digest }: { source: TextSource; digest: string },
  { reader, has }: Pick<Reading, 'reader' | 'has'>,
): Promise<TextDocument | undefined> {
  const form = textFormOf(source)
  if (form === 'none') return undefined
  const key = contentKey({ digest, mediaType: capture.mediaType, charset: source.charset })
  return { ...capture, key, text: has(key) ? undefined : await reader.read(source, form) }
}

/** Returns the digest of a payload, for records and documents that do not name it. */
export function payloadDigest(payload: Uint8Array): string {
  return `sha256:${createHash('sha256').update(payload).digest('hex')}`
}

/** Returns a media type without parameters, in lower case. */
export function essenceOf(contentType: string): string {
  return mediaTypeOf(contentType).toLowerCase()
}

/** Whether a status is that of a redirect, whose body nobody sees (RFC 9110, 15.4). */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

function captureOf(record: ArchiveRecord, { file, job }: Reading): TextCapture | undefined {
  const { type, url, offset, addressable } = record
  if (type !== 'response' && type !== 'resource' && type !== 'revisit') return undefined
  const capturedMs = parseTimestamp(record.date)
  if (url === undefined || !/^https?:/i.test(url) || !addressable || capturedMs === undefined) return undefined
  return { job, url, capturedMs, part: '', status: 0, mediaType: '', file, offset }
}

/** A revisit has the head of its own response, and the payload of its original. Without a head it is not known how to read that. */
async function revisitOf(record: ArchiveRecord, capture: TextCapture): Promise<TextDocument | undefined> {
  const block = await blockOf(record)
  const head = block && parseResponseHead(block)?.head
  const digest = namedDigest(recordField(record, 'warc-payload-digest') ?? '')
  const contentType = head && fieldOf(head, 'content-type')
  if (!head || digest === undefined || contentType === undefined || isRedirect(head.status)) return undefined
  const mediaType = essenceOf(contentType)
  if (withoutText.test(mediaType)) return undefined
  const key = contentKey({ digest, mediaType, charset: charsetParameter(contentType) })
  return { ...capture, status: head.status, mediaType, key, text: undefined }
}

function isHttpRecord({ contentType }: ArchiveRecord): boolean {
  return /^application\/http\b/i.test(contentType ?? '')
}

function digestOf(record: ArchiveRecord, payload: Uint8Array): string {
  return namedDigest(recordField(record, 'warc-payload-digest') ?? '') ?? payloadDigest(payload)
}

/** Returns the block, cut; undefined where its type shows that it has no text. */
async function blockOf(record: ArchiveRecord): Promise<Uint8Array | undefined> {
  if (record.heldBlock) return mayHaveText(record, record.heldBlock) ? record.heldBlock : undefined
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of record.block()) {
    if (bytes === 0 && !mayHaveText(record, chunk)) return undefined
    chunks.push(chunk.slice())
    bytes += chunk.length
    if (bytes > headBytesMax + contentBytesMax) break
  }
  return Buffer.concat(chunks)
}

function mayHaveText(record: ArchiveRecord, begin: Uint8Array): boolean {
  if (!isHttpRecord(record)) return !withoutText.test(essenceOf(record.contentType ?? ''))
  const head = parseResponseHead(begin)?.head
  return !head || (!isRedirect(head.status) && !withoutText.test(essenceOf(fieldOf(head, 'content-type') ?? '')))
}
