/** Captures: what an index knows of a record, and the CDXJ lines that carry them (field by field as cdxj-indexer writes
 *  them). Making one reads the whole record, so its digests are checked on the way. Deliberately not here: sorting and
 *  lookup (see indexes), and the classic CDX forms. */
import { ChunkReader } from '../http/chunked.ts'
import { complaint, type Complaint } from '../complaint.ts'
import { digester, parseLabelledDigest, spellDigest, type Digester, type LabelledDigest } from '../digest.ts'
import {
  fieldOf,
  headEnd,
  listOf,
  parseRequestHead,
  parseResponseHead,
  type HttpHead,
  type RequestHead,
} from '../http/http.ts'
import { surt } from './surt.ts'
import type { ByteSource } from '../bytes/fileWindow.ts'
import { readRecords } from '../records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'

export interface Capture {
  /** The surt of `url`. */
  key: string
  timestampMs: number
  url: string
  /** As the archived head says, without parameters; `warc/revisit` for revisits; empty when unknown. */
  mediaType: string
  status: number | undefined
  /** `sha1:` and base32; empty for a revisit that does not tell. */
  payloadDigest: string
  offset: number
  length: number
  filename: string
  recordType: CaptureType
}

const captureTypes = ['response', 'revisit', 'resource'] as const
export type CaptureType = (typeof captureTypes)[number]

/** An archived head that is longer counts as none. */
const headBytesMax = 256 * 1024

export async function* capturesOf(
  source: ByteSource,
  filename: string,
): AsyncGenerator<{ capture: Capture } | { complaint: Complaint }> {
  const between: Complaint[] = []
  for await (const item of readRecords(source, { onComplaint: (complaint) => between.push(complaint) })) {
    while (between.length > 0) for (const complaint of between.splice(0)) yield { complaint }
    const { capture, complaints } = await captureOf(item, filename)
    for (const complaint of complaints) yield { complaint }
    if (capture) yield { capture }
  }
  for (const complaint of between) yield { complaint }
}

/** Reads the record to its end. No capture: of another type, or nothing that could be asked for. */
async function captureOf(
  item: ArchiveRecord,
  filename: string,
): Promise<{ capture: Capture | undefined; complaints: Complaint[] }> {
  const read = await readBlock(item)
  const { length, complaints } = await item.finish()
  const all = [...complaints, ...read.complaints.map((complaint) => ({ ...complaint, offset: item.offset }))]
  const type = captureTypes.find((known) => known === item.type)
  const url = recordField(item, 'warc-target-uri')
  if (!type || url === undefined || !item.addressable || length === 0) return { capture: undefined, complaints: all }
  const date = recordField(item, 'warc-date') ?? ''
  const timestampMs = parseTimestamp(date)
  if (timestampMs === undefined) {
    const text = `The record has no valid WARC-Date (${date.slice(0, 40)}), so it cannot be looked up.`
    all.push(complaint('dateInvalid', text, item.offset))
    return { capture: undefined, complaints: all }
  }
  const { status, payloadDigest } = read
  const mediaType = type === 'revisit' ? revisitType : mediaTypeOf(read.contentType)
  const place = { offset: item.offset, length, filename }
  return {
    capture: { key: surt(url), timestampMs, url, mediaType, status, payloadDigest, ...place, recordType: type },
    complaints: all,
  }
}

const revisitType = 'warc/revisit'

function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.trim().split(/[;\s,]/, 1)[0] ?? ''
}

interface ReadBlock {
  status: number | undefined
  contentType: string | undefined
  payloadDigest: string
  complaints: Complaint[]
}

async function readBlock(item: ArchiveRecord): Promise<ReadBlock> {
  const complaints: Complaint[] = []
  const named = {
    block: digestField(item, 'WARC-Block-Digest', complaints),
    payload: digestField(item, 'WARC-Payload-Digest', complaints),
  }
  const block = named.block && digester(named.block.algorithm)
  const payload = new PayloadDigests(item, named.payload)
  for await (const bytes of item.block()) {
    block?.update(bytes)
    payload.update(bytes)
  }
  const blockHex = block?.hex()
  if (named.block && blockHex !== named.block.hex)
    complaints.push(complaint('blockDigestWrong', 'The block does not fit its WARC-Block-Digest.'))
  const payloadDigest = payload.end(complaints, blockHex)
  const { head } = payload
  const isHttp = isHttpRecord(item)
  return {
    status: head && 'status' in head ? head.status : undefined,
    contentType: isHttp ? head && fieldOf(head, 'content-type') : recordField(item, 'content-type'),
    payloadDigest,
    complaints,
  }
}

function digestField(item: ArchiveRecord, name: string, complaints: Complaint[]): LabelledDigest | undefined {
  const text = recordField(item, name)
  if (text === undefined) return undefined
  const digest = parseLabelledDigest(text)
  if (!digest) complaints.push(complaint('digestUnknown', `${name} cannot be checked: ${text.slice(0, 60)}`))
  return digest
}

function isHttpRecord(item: ArchiveRecord): boolean {
  return /^application\/http\b/i.test(recordField(item, 'content-type') ?? '')
}

/** What a payload digest that is not the standard's may be instead. */
const payloadFindings: Record<'framed' | 'block' | 'other', Complaint> = {
  framed: complaint(
    'payloadDigestWithChunks',
    'WARC-Payload-Digest covers the chunk framing too, as wget and warcio write it.',
  ),
  block: complaint('payloadDigestOfBlock', 'WARC-Payload-Digest covers the whole block, as some old writers had it.'),
  other: complaint('payloadDigestWrong', 'The payload does not fit its WARC-Payload-Digest.'),
}

/** Digests the payload as the standard has it (chunk framing removed), and with its framing, as wget and warcio write. */
class PayloadDigests {
  head: HttpHead | RequestHead | undefined
  #item: ArchiveRecord
  #named: LabelledDigest | undefined
  #standard: Digester
  #framed: Digester | undefined
  #chunks: ChunkReader | undefined
  /** What came so far while the end of the head is not in sight; undefined behind it. */
  #held: Uint8Array | undefined

  constructor(item: ArchiveRecord, named: LabelledDigest | undefined) {
    this.#item = item
    this.#named = named
    this.#standard = digester(named?.algorithm ?? 'sha1')
    if (isHttpRecord(item)) this.#held = new Uint8Array(0)
  }

  update(bytes: Uint8Array): void {
    if (!this.#held) return this.#updatePayload(bytes)
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    if (this.#held.length >= headBytesMax || headEnd(this.#held, 0) >= 0) this.#headComplete()
  }

  end(complaints: Complaint[], blockHex: string | undefined): string {
    if (this.#held) this.#headComplete()
    const named = this.#named && spellDigest(this.#named)
    // A revisit leaves its payload off, a segment has only a part of it (WARC 1.1, 5.9).
    if (this.#item.type === 'revisit' || recordField(this.#item, 'warc-segment-number') !== undefined)
      return named ?? ''
    const standard = this.#standard.base32()
    if (named === undefined || named === standard) return standard
    const { framed, block, other } = payloadFindings
    if (named === this.#framed?.base32()) complaints.push(framed)
    else complaints.push(this.#named?.hex === blockHex ? block : other)
    return named
  }

  #headComplete(): void {
    const bytes = this.#held ?? new Uint8Array(0)
    this.#held = undefined
    const parsed = this.#item.type === 'request' ? parseRequestHead(bytes) : parseResponseHead(bytes)
    this.head = parsed?.head
    if (this.head && listOf(this.head, 'transfer-encoding').at(-1) === 'chunked') {
      this.#chunks = new ChunkReader((part) => this.#standard.update(part))
      if (this.#named) this.#framed = digester(this.#named.algorithm)
    }
    this.#updatePayload(bytes.subarray(this.head?.bytes ?? 0))
  }

  #updatePayload(bytes: Uint8Array): void {
    this.#framed?.update(bytes)
    if (this.#chunks) this.#chunks.push(bytes)
    else this.#standard.update(bytes)
  }
}

/** `<key> <timestamp> <JSON>`, without line end. Spaced as cdxj-indexer does, so that lines compare byte by byte. */
export function cdxjLine(capture: Capture): string {
  const { key, timestampMs, url, mediaType, status, payloadDigest, offset, length, filename, recordType } = capture
  let json = `{"url": ${JSON.stringify(url)}`
  if (mediaType !== '') json += `, "mime": ${JSON.stringify(mediaType)}`
  if (status !== undefined) json += `, "status": "${status}"`
  if (payloadDigest !== '') json += `, "digest": "${payloadDigest}"`
  json += `, "length": "${length}", "offset": "${offset}", "filename": ${JSON.stringify(filename)}`
  // Ours: responses and revisits are told apart by their media type, the others need it said.
  if (recordType === 'resource') json += ', "recordType": "resource"'
  return `${key} ${timestamp(timestampMs)} ${json}}`
}

/** Undefined when the line is none, or lacks what a lookup needs. */
export function parseCdxjLine(line: string): Capture | undefined {
  const [, key = '', time = '', json = ''] = /^(\S+) (\d{4,17}) (\{.*\})\s*$/.exec(line) ?? []
  const timestampMs = parseTimestamp(time)
  const fields = objectIn(json)
  if (timestampMs === undefined || !fields) return undefined
  const text = (name: string): string => {
    const value = fields[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const number = (name: string): number | undefined => (/^\d+$/.test(text(name)) ? Number(text(name)) : undefined)
  const [url, mediaType, filename, offset, length] = [
    text('url'),
    text('mime'),
    text('filename'),
    number('offset'),
    number('length'),
  ]
  if (url === '' || filename === '' || offset === undefined || length === undefined) return undefined
  const recordType = mediaType === revisitType ? 'revisit' : text('recordType') === 'resource' ? 'resource' : 'response'
  const digest = text('digest')
  // pywb and older indexers leave the label out.
  const payloadDigest = digest !== '' && !digest.includes(':') ? `sha1:${digest}` : digest
  return {
    key,
    timestampMs,
    url,
    mediaType,
    status: number('status'),
    payloadDigest,
    offset,
    length,
    filename,
    recordType,
  }
}

function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** UTC as `YYYYMMDDhhmmss`, what is finer cut off. */
export function timestamp14(timeMs: number): string {
  return digitsOf(timeMs).slice(0, 14)
}

/** 17 digits when there are milliseconds to keep: revisits refer to the exact date. */
function timestamp(timeMs: number): string {
  return timeMs % 1000 === 0 ? timestamp14(timeMs) : digitsOf(timeMs)
}

function digitsOf(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\D/g, '')
}

/** WARC-Date (WARC 1.1, 5.4: W3C-ISO8601 with any precision from the year to nanoseconds) or the digits of an index. What
 *  is finer than a millisecond is cut off, what is left out is the least. */
export function parseTimestamp(text: string): number | undefined {
  const match = isoDate.exec(text) ?? digitDate.exec(text)
  if (!match) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => (part ? Number(part) : undefined))
  const fraction = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const timeMs = Date.UTC(year, month - 1, day, hour, minute, second, fraction)
  const date = new Date(timeMs)
  // Date.UTC would make the 31st of February a day of March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 60)
    return undefined
  return timeMs - zoneMs(match[8])
}

const isoDate =
  /^\s*(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?)?)?(Z|[+-]\d\d:?\d\d)?\s*$/i
const digitDate = /^(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d{1,3})?)?)?)?)?)?$/

function zoneMs(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
