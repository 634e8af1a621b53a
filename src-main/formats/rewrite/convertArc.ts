/** ARC to WARC 1.1. An ARC record has one line of header and one block; what it means is written down in WARC's words, and the
 *  block stays as it is. The same file converted again gives the same bytes: ids are made from its name and the offsets, and
 *  nothing says when the conversion was.
 *
 *  What becomes of what: the first record (`filedesc:`) becomes the warcinfo, and itself a metadata record with its text as
 *  it was; an HTTP answer becomes a response; everything else (DNS, FTP, metadata of NetarchiveSuite) a resource under its
 *  own address. Requests were never in ARC files, so there are none. */
import type { ByteSource } from '../bytes/fileWindow.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import { headEnd } from '../http/http.ts'
import { recordField } from '../records/record.ts'
import { uriOf } from '../records/recordUrl.ts'
import type { RecordHeader } from '../records/warcWriter.ts'
import type { Account } from './account.ts'
import { damageOf, leaveGap, leaveStray, ownBlock } from './damage.ts'
import { heldStretches, type HeldRecord } from './heldStretches.ts'
import type { Spool } from './heldBlock.ts'
import { convertedFromField, fieldText, formatFields, placeText, warcFields, type Origin } from './origin.ts'
import { namedRecordId } from './recordId.ts'
import { writtenRecord } from './writtenRecord.ts'

type Field = [name: string, value: string]

export interface Converting {
  spool: Spool
  account: Account
  origin: Origin
}

export async function* convertArc(source: ByteSource, converting: Converting): AsyncGenerator<Uint8Array> {
  const arc = new ArcConversion(converting)
  for await (const stretch of heldStretches(source, converting.spool)) {
    if (stretch.kind === 'gap') leaveGap(stretch, converting.account)
    else yield* arc.converted(stretch)
  }
}

/** The records of one ARC file, from its first on. */
export class ArcConversion {
  #converting: Converting
  #warcinfoId: string
  /** The last good date of the file; that of its first record to begin with. */
  #dateMs = 0
  #begun = false

  constructor(converting: Converting) {
    this.#converting = converting
    this.#warcinfoId = namedRecordId(converting.origin.name, converting.origin.sha256, 'warcinfo')
  }

  async *converted(held: HeldRecord): AsyncGenerator<Uint8Array> {
    const { account } = this.#converting
    account.position = held.record.offset
    account.found(held.finished.complaints)
    leaveStray(held, account)
    const dateMs = parseTimestamp(held.record.date)
    this.#dateMs = dateMs ?? this.#dateMs
    if (!this.#begun) yield* this.#warcinfo(held)
    this.#begun = true
    const damage = damageOf(held)
    const block = ownBlock(held)
    const changes = [
      ...(damage ? [`${damage.text} What is there was kept.`] : []),
      ...(dateMs === undefined ? ['Its date cannot be read; the one before it was taken.'] : []),
    ]
    if (changes.length > 0) this.#change(held, { rules: [damage?.rule ?? 'dateInvalid'], text: changes.join(' ') })
    yield* writtenRecord(this.#headerOf(held, damage !== undefined), block, account)
  }

  #change({ record }: HeldRecord, { rules, text }: { rules: string[]; text: string }): void {
    this.#converting.account.changed.add({ from: record.offset, record: record.url ?? '', rules, text })
  }

  async *#warcinfo({ record }: HeldRecord): AsyncGenerator<Uint8Array> {
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
      ...this.#dated(),
      type: 'warcinfo',
      id: this.#warcinfoId,
      fields: [],
      contentType: 'application/warc-fields',
    }
    yield* writtenRecord(header, block, account)
  }

  #headerOf(held: HeldRecord, isTruncated: boolean): RecordHeader {
    const { record, block } = held
    const { origin } = this.#converting
    const type = record.type === 'filedesc' ? 'metadata' : record.type === 'response' ? 'response' : 'resource'
    const head = type === 'response' ? headEnd(block.beginning, 0) : -1
    const header: RecordHeader = {
      ...this.#dated(),
      type,
      id: namedRecordId(origin.name, origin.sha256, record.number, record.offset),
      fields: [
        ['WARC-Target-URI', uriOf(record.url ?? '')],
        ...addressOf(recordField(record, 'IP-address')),
        ['WARC-Warcinfo-ID', `<urn:uuid:${this.#warcinfoId}>`],
        ...(isTruncated ? [['WARC-Truncated', 'unspecified'] satisfies Field] : []),
        [convertedFromField, placeText(origin, record.offset)],
      ],
      contentType: contentTypeOf(held),
    }
    return head < 0 ? header : { ...header, payload: { offset: head } }
  }

  #dated(): { dateMs: number; dateTo: 'second' } {
    return { dateMs: this.#dateMs, dateTo: 'second' }
  }
}

/** Heritrix and others write 0.0.0.0 where there was no server, as for DNS. */
function addressOf(text: string | undefined): Field[] {
  const isAddress = text !== undefined && /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:.]+)$/i.test(text)
  return isAddress && text !== '0.0.0.0' ? [['WARC-IP-Address', text]] : []
}

/** ARC writes `no-type` where the server named none; WARC leaves the field out (WARC 1.1, 5.6). */
function contentTypeOf({ record }: HeldRecord): string | undefined {
  if (record.type === 'response') return 'application/http; msgtype=response'
  const given = fieldText(record.contentType ?? '').trim()
  if (/^dns:/i.test(record.url ?? '')) return 'text/dns'
  if (record.type === 'filedesc' && given === '') return 'text/plain'
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/.test(given) ? given : undefined
}
