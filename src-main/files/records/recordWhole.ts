/**
 * One record in all detail: header, HTTP head, the beginning of its payload, its digests compared, and its findings. The record is read
 * twice: whole for the check, and again for the part that is displayed.
 */
import type { RecordWhole } from '../../contract/services/records.ts'
import { checkRecord } from '../../formats/check/checkRecord.ts'
import { BlockDigests } from '../../formats/records/blockDigests.ts'
import { decodeContent, fieldOf, listOf, type HttpHead, type RequestHead } from '../../formats/http/http.ts'
import { imageType } from '../../formats/http/imageType.ts'
import { charsetOfPage, charsetOfStyleSheet, charsetOfXml, decoded } from '../../formats/links/charset.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { findingOf } from '../check/finding.ts'
import { decodedBytesMax, hexBytesMax, payloadBytesMax, textBytesMax } from '../disk/limits.ts'
import { mediaTypeOf } from './recordRow.ts'

/** All fields except those that only the archive knows. */
export type RecordInFile = Omit<RecordWhole, 'job' | 'replicas' | 'number'>

/** The record that is wanted. */
export interface WholeWanted {
  /** Name of the file in findings. */
  file: string
  nowMs: number
  /** Opens the record again from its beginning. */
  open(): Promise<ArchiveRecord | undefined>
}

/** Returns undefined when there is no record. */
export async function recordWhole({ file, nowMs, open }: WholeWanted): Promise<RecordInFile | undefined> {
  const [toCheck, toShow] = [await open(), await open()]
  if (!toCheck || !toShow) return undefined
  const { length, digests, findings } = await checkRecord(toCheck, { nowMs })
  const findingList = findings.map((finding) => findingOf(finding, file))
  const { offset, addressable, type, date, url, format, version, fields, blockBytes } = toShow
  return {
    file,
    offset,
    length,
    addressable,
    type,
    date: date === '' ? null : date,
    url: url ?? null,
    format,
    version,
    fields,
    blockBytes,
    digests,
    findings: findingList.length,
    findingList,
    ...(await contentOf(toShow)),
  }
}

/** The fields that come from the block. */
type Content = Pick<
  RecordWhole,
  'status' | 'mediaType' | 'http' | 'payloadBytes' | 'payloadCut' | 'text' | 'hex' | 'isImage'
>

/** Reads the block as far as it is displayed, and decodes its payload. */
async function contentOf(record: ArchiveRecord): Promise<Content> {
  const kept = new Beginning(payloadBytesMax)
  const reading = new BlockDigests(record, (bytes) => kept.add(bytes))
  for await (const bytes of record.block()) {
    reading.update(bytes)
    if (kept.isCut) break
  }
  reading.end()
  const { head } = reading
  const { bytes, truncated } = decodeContent(
    kept.bytes(),
    head ? listOf(head, 'content-encoding') : [],
    decodedBytesMax,
  )
  const contentType = head ? fieldOf(head, 'content-type') : record.contentType
  const mediaType = mediaTypeOf(contentType)
  return {
    status: head && 'status' in head ? head.status : null,
    mediaType,
    http: head ? { firstLine: firstLineOf(head), fields: head.fields } : null,
    payloadBytes: bytes.length,
    payloadCut: kept.isCut || truncated,
    text: textOf(bytes, contentType),
    hex: hexOf(bytes.subarray(0, hexBytesMax)),
    isImage: imageType(bytes) !== undefined,
  }
}

/** The request line or status line as it is displayed. */
function firstLineOf(head: HttpHead | RequestHead): string {
  if ('status' in head) return `${head.version} ${head.status} ${head.reason}`.trimEnd()
  return `${head.method} ${head.target} ${head.version}`.trimEnd()
}

/** Keeps the first bytes of a stream, up to a limit. */
class Beginning {
  isCut = false
  #parts: Uint8Array[] = []
  #bytesLeft: number

  constructor(bytesMax: number) {
    this.#bytesLeft = bytesMax
  }

  add(bytes: Uint8Array): void {
    if (bytes.length > this.#bytesLeft) this.isCut = true
    if (this.#bytesLeft === 0) return
    // A copy: the reader may refill its buffer.
    const part = Uint8Array.from(bytes.subarray(0, this.#bytesLeft))
    this.#parts.push(part)
    this.#bytesLeft -= part.length
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts)
  }
}

/** Returns null when the bytes are not text, whatever their media type. */
function textOf(bytes: Uint8Array, contentType: string | undefined): string | null {
  const beginning = bytes.subarray(0, textBytesMax)
  if (beginning.length === 0) return null
  const text = decoded(beginning, charsetFor(beginning, contentType))
  if (controlCharacter.test(text)) return null
  // A character that was cut in two.
  return beginning.length < bytes.length ? text.replace(/\ufffd$/, '') : text
}

/** Control characters that neither text nor terminal colours contain; binary data usually has one early. */
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/

/** Determines the charset as browsers do for this kind of content. */
function charsetFor(bytes: Uint8Array, contentType: string | undefined): string {
  const declared = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1]
  const mediaType = mediaTypeOf(contentType) ?? ''
  if (mediaType === 'text/css') return charsetOfStyleSheet(bytes, declared)
  if (mediaType === 'text/html') return charsetOfPage(bytes, declared)
  // Without a declared charset a text is UTF-8, as in XML: the fields of WARC, JSON, scripts.
  return charsetOfXml(bytes, declared)
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
