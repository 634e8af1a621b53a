/** Converts ARC to WARC 1.1. The header line of an ARC record is expressed in fields of WARC, and the block is
 *  unchanged. Converting the same file again gives the same bytes: IDs are derived from its name and the offsets,
 *  and the time of the conversion is not stored.
 *
 *  The first record (`filedesc:`) becomes the warcinfo, and additionally a metadata record with its original text.
 *  An HTTP response becomes a response. Everything else (DNS, FTP, metadata of NetarchiveSuite) becomes a resource
 *  with its own URL. ARC files do not contain requests, so none are written.
 *
 *  Unreadable values are not replaced by invented ones. An invalid field of the line is kept in the record as
 *  `Original-…`. A record with an invalid date gets that of the previous record with a valid one, or of the first
 *  such record in the file, and names it. When no record of the file has a valid date, nothing is written. */
import { message } from '../../contract/words/message.ts'
import type { ByteSource } from '../bytes/fileWindow.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import { headEnd } from '../http/http.ts'
import { readRecords } from '../records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'
import { uriOf } from '../records/recordUrl.ts'
import type { RecordHeader } from '../records/warcWriter.ts'
import type { Account } from './account.ts'
import { damageOf, leaveGap, leaveStray, ownBlock, recordEndAt } from './damage.ts'
import { heldParts, type HeldRecord } from './heldParts.ts'
import type { HeldBlock, Spool } from './heldBlock.ts'
import {
  convertedFromField,
  dateFromField,
  fieldText,
  formatFields,
  placeText,
  warcFields,
  type Origin,
} from './origin.ts'
import { namedRecordId } from './recordId.ts'
import { together, type HeaderFault } from './writableHeader.ts'
import { writtenRecord } from './writtenRecord.ts'

type Field = [name: string, value: string]

/** What a conversion works with: `spool` holds blocks too large for memory, `account` receives what was changed
 *  and left out, `origin` describes the source in the new records. */
export interface Converting {
  spool: Spool
  account: Account
  origin: Origin
}

/** Converts all records of an ARC file, and yields the WARC file. */
export async function* convertArc(source: ByteSource, converting: Converting): AsyncGenerator<Uint8Array> {
  const arc = new ArcConversion(converting)
  for await (const part of heldParts(source, converting.spool)) {
    if (part.kind === 'gap') leaveGap(part, converting.account)
    else yield* arc.converted(part, source)
  }
}

/** A valid date, and the offset of its record. */
interface Dated {
  dateMs: number
  offset: number
}

/** Converts the records of one ARC file, in order. */
export class ArcConversion {
  #converting: Converting
  #warcinfoId: string
  /** Date of the last record with a valid one. */
  #before: Dated | undefined
  /** First valid date in the file, searched for when it is needed. */
  #first: Promise<Dated | undefined> | undefined
  #begun = false

  constructor(converting: Converting) {
    this.#converting = converting
    this.#warcinfoId = namedRecordId(converting.origin.name, converting.origin.sha256, 'warcinfo')
  }

  /** Converts one record. `source` is the file, which must be open while the output is consumed. */
  async *converted(held: HeldRecord, source: ByteSource): AsyncGenerator<Uint8Array> {
    const { account } = this.#converting
    const { record } = held
    account.position = record.offset
    account.found(held.finished.findings)
    leaveStray(held, account)
    const dated = await this.#dateOf(record, source)
    const date = record.date.slice(0, 40)
    if (!dated) {
      const reason = message('rewrite.date.none', { date })
      account.leave({ from: record.offset, to: recordEndAt(held), rule: 'arcDateInvalid', message: reason })
      return
    }
    if (!this.#begun) yield* this.#warcinfo(record, dated)
    this.#begun = true
    const damage = damageOf(held)
    const changes: HeaderFault[] = []
    if (damage) changes.push({ rule: damage.rule, message: message('rewrite.kept', { damage: damage.message }) })
    if (dated.offset !== record.offset) {
      changes.push({ rule: 'arcDateInvalid', message: message('rewrite.date.other', { date, offset: dated.offset }) })
    }
    if (changes.length > 0) account.changed.add({ from: record.offset, record: record.url ?? '', ...together(changes) })
    const block = ownBlock(held)
    yield* writtenRecord(this.#headerOf(held, { block, dated, isTruncated: damage !== undefined }), block, account)
  }

  /** Returns the date of a record; without a valid one, that of the nearest preceding record, or else the first
   *  valid date of the file. Undefined when the file has none. */
  async #dateOf({ date, offset }: ArchiveRecord, source: ByteSource): Promise<Dated | undefined> {
    const dateMs = parseTimestamp(date)
    if (dateMs !== undefined) this.#before = { dateMs, offset }
    if (this.#before) return this.#before
    this.#first ??= firstDate(source)
    return this.#first
  }

  /** Yields the first record of the new file, which describes the source. It has the date of the first converted
   *  record, so that two conversions of a file are identical. */
  async *#warcinfo(record: ArchiveRecord, dated: Dated): AsyncGenerator<Uint8Array> {
    const { origin, account } = this.#converting
    const block = warcFields([
      ['software', origin.software],
      ...formatFields,
      ['description', `Converted from the ${record.version} file ${origin.name}`],
      ['convertedFrom', origin.name],
      ['convertedFromBytes', String(origin.bytes)],
      ['convertedFromSha256', origin.sha256],
    ])
    const header: RecordHeader = {
      ...{ type: 'warcinfo', id: this.#warcinfoId, dateMs: dated.dateMs, dateTo: 'second' },
      fields: this.#dateFrom(record, dated),
      contentType: 'application/warc-fields',
    }
    yield* writtenRecord(header, block, account)
  }

  /** Returns the header of the new record. The version block becomes `metadata`, an HTTP response `response`,
   *  anything else `resource`, because ARC does not store requests. */
  #headerOf(held: HeldRecord, { block, dated, isTruncated }: Written): RecordHeader {
    const { record } = held
    const { origin } = this.#converting
    const type = record.type === 'filedesc' ? 'metadata' : record.type === 'response' ? 'response' : 'resource'
    const head = type === 'response' ? headEnd(block.beginning, 0) : -1
    const header: RecordHeader = {
      ...{ type, dateMs: dated.dateMs, dateTo: 'second' },
      id: namedRecordId(origin.name, origin.sha256, record.number, record.offset),
      fields: [
        ['WARC-Target-URI', uriOf(record.url ?? '')],
        ...addressOf(recordField(record, 'IP-address')),
        ['WARC-Warcinfo-ID', `<urn:uuid:${this.#warcinfoId}>`],
        ...(isTruncated ? [['WARC-Truncated', 'unspecified'] satisfies Field] : []),
        [convertedFromField, placeText(origin, record.offset)],
        ...this.#dateFrom(record, dated),
        ...unreadableFields(record, block.bytes),
      ],
      contentType: contentTypeOf(record),
    }
    return head < 0 ? header : { ...header, payload: { offset: head } }
  }

  #dateFrom(record: ArchiveRecord, { offset }: Dated): Field[] {
    return offset === record.offset ? [] : [[dateFromField, placeText(this.#converting.origin, offset)]]
  }
}

/** A record to write. `isTruncated`: the block is incomplete. */
interface Written {
  block: HeldBlock
  dated: Dated
  isTruncated: boolean
}

/** Returns the first valid date, in nearly all files that of the first record. */
async function firstDate(source: ByteSource): Promise<Dated | undefined> {
  for await (const { date, offset } of readRecords(source)) {
    const dateMs = parseTimestamp(date)
    if (dateMs !== undefined) return { dateMs, offset }
  }
  return undefined
}

/** Returns the fields of the line that are not unchanged in the new header, so that the original file is not needed
 *  to know them. */
function unreadableFields(record: ArchiveRecord, blockBytes: number): Field[] {
  const field = (name: string) => recordField(record, name) ?? ''
  const isSame: Record<string, boolean> = {
    'IP-address': isAddress(field('IP-address')) || field('IP-address') === '-',
    'Archive-date': /^\d{14}$/.test(record.date) && parseTimestamp(record.date) !== undefined,
    'Content-type': contentTypeOf(record) !== undefined || /^(no-type|unknown|-)$/i.test(field('Content-type')),
    'Archive-length': field('Archive-length') === String(blockBytes),
  }
  return Object.entries(isSame).flatMap(([name, same]): Field[] =>
    same || field(name) === '' ? [] : [[`Original-${name}`, fieldText(field(name))]],
  )
}

/** Returns the field for an IP address. Heritrix and others write 0.0.0.0 when there was no server, as for DNS. */
function addressOf(text: string | undefined): Field[] {
  return text !== undefined && isAddress(text) && text !== '0.0.0.0' ? [['WARC-IP-Address', text]] : []
}

function isAddress(text: string): boolean {
  return /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:.]+)$/i.test(text)
}

/** Returns the content type. ARC has `no-type` when the server sent none; WARC omits the field (WARC 1.1, 5.6). */
function contentTypeOf(record: ArchiveRecord): string | undefined {
  if (record.type === 'response') return 'application/http; msgtype=response'
  const given = fieldText(record.contentType ?? '').trim()
  if (/^dns:/i.test(record.url ?? '')) return 'text/dns'
  if (record.type === 'filedesc' && given === '') return 'text/plain'
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/.test(given) ? given : undefined
}
