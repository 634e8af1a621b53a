/** WARC files read record by record, WARC 0.17 to 1.1, plain or with one gzip member a record (annex D). Memory is bounded
 *  by the window of the file, whatever a record claims to hold. Damage is skipped to the next record and said; only bytes
 *  that cannot be framed are lost. Deliberately not here: what records mean (cdx.ts), ARC, WACZ. */
import { complaint, type Complaint } from '../complaint.ts'
import { recordField, type ArchiveRecord, type FinishedRecord } from './record.ts'
import type { RuleName } from '../rules/rules.ts'
import { FileWindow, windowBytes, type ByteSource } from '../bytes/fileWindow.ts'
import { memberBegins, openMember, type Member } from '../packing/gzipMembers.ts'
import { headEnd } from '../http/http.ts'

/** Real headers have some hundred bytes, with cookies and metadata some thousand. */
const headerBytesMax = 1024 * 1024
/** What is loaded at least before looking for a header: nearly always holds all of it. */
const lookBytes = 64 * 1024

export interface ReadOptions {
  /** Offset of a record; the next record is taken when none begins there. */
  from?: number
  /** Records that begin at or behind this offset are left out. */
  to?: number
  /** Damage between records. What is wrong within one is said by its `finish`. */
  onComplaint?: (complaint: Complaint) => void
}

export async function* readRecords(source: ByteSource, options: ReadOptions = {}): AsyncGenerator<ArchiveRecord> {
  const window = new FileWindow(source)
  const { to = Infinity, onComplaint = () => undefined } = options
  const compressed = isGzip(await window.view(0, 2))
  let offset = options.from ?? 0
  while (offset < to) {
    const began = await begin(window, offset)
    if (began === 'end') return
    if (typeof began === 'object') {
      const extent = yield* itemsOf(began, offset)
      const inside = await recordInside(window, offset, extent)
      if (inside !== undefined) onComplaint(foundInside(inside))
      offset = inside ?? extent.end
      continue
    }
    const next = await nextRecord(window, { from: offset + 1, before: Infinity, compressed })
    onComplaint(skipped(offset, next, began))
    if (next === undefined) return
    offset = next
  }
}

/** Undefined when no record begins at `offset`. Whoever knows the record's length in the file says it: a window of a
 *  megabyte for each page of 5 kB keeps the garbage collector busier than the pages do. */
export async function readRecordAt(
  source: ByteSource,
  offset: number,
  length = windowBytes,
): Promise<ArchiveRecord | undefined> {
  // One byte more than there is: so the window sees that it holds the end.
  const began = await begin(new FileWindow(source, Math.min(windowBytes, length + 1)), offset)
  return typeof began === 'object' ? began.item : undefined
}

/** The length of the longest prefix of `bytes` bytes that is made of whole records, each in a gzip member of its own or
 *  plain: what a writer may keep of a file when it was killed. */
export async function cutTornTail(source: ByteSource, bytes: number): Promise<number> {
  const bounded: ByteSource = {
    read: (into, position) => source.read(into.subarray(0, Math.max(0, bytes - position)), position),
  }
  let end = 0
  for await (const item of readRecords(bounded)) {
    const { whole, length } = await item.finish()
    if (item.offset !== end || !whole || !item.addressable || length === 0) break
    end += length
  }
  return end
}

interface Begun {
  item: RecordItem
  inflow: Inflow
  member: Member | undefined
}

type NoRecord = 'end' | 'noRecord' | 'headerTooLarge' | 'lineEnds'

async function begin(window: FileWindow, offset: number): Promise<Begun | NoRecord> {
  const bytes = await window.view(offset, lookBytes)
  if (bytes.length === 0) return 'end'
  const member = isGzip(bytes) ? await openMember(window, offset) : undefined
  if (!member && isGzip(bytes)) return 'noRecord'
  const inflow = new Inflow(member ?? plainFlow(window, offset))
  const header = await readHeader(inflow)
  if (typeof header === 'object')
    return { item: new RecordItem({ offset, header, inflow, member, first: true }), inflow, member }
  member?.close()
  // A member that is torn or damaged near its beginning, or empty: not the end of the file.
  return header === 'end' ? 'noRecord' : header
}

/** All records of what began at `offset`, usually one. Returns where they end. */
async function* itemsOf(begun: Begun, offset: number): AsyncGenerator<ArchiveRecord, Extent> {
  const { inflow, member } = begun
  let item: RecordItem | undefined = begun.item
  try {
    while (item) {
      yield item
      const { length, whole } = await item.finish()
      if (!item.followed) return { end: offset + Math.max(1, length), whole }
      const header = await readHeader(inflow)
      item = typeof header === 'object' ? new RecordItem({ offset, header, inflow, member, first: false }) : undefined
    }
    return { end: offset + Math.max(1, member?.length ?? 1), whole: false }
  } finally {
    member?.close()
  }
}

interface Extent {
  end: number
  whole: boolean
}

/** A damaged record may say a wrong length, or its compressed bytes run on into the next. So when no record begins at its
 *  end, the first one that begins inside it is taken: only within a window, so that time stays linear in the file. */
async function recordInside(window: FileWindow, offset: number, { end, whole }: Extent): Promise<number | undefined> {
  if (whole || end - offset > windowBytes) return undefined
  const behind = await window.view(end, lookBytes)
  let lineEnds = 0
  while (behind[lineEnds] === CR || behind[lineEnds] === LF) lineEnds++
  if (await recordBegins(window, end + lineEnds)) return undefined
  const compressed = isGzip(await window.view(offset, 2))
  return nextRecord(window, { from: offset + 1, before: end, compressed })
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

function skipped(offset: number, next: number | undefined, why: Exclude<NoRecord, 'end'>): Complaint {
  const where = next === undefined ? 'to the end of the file' : `${next - offset} bytes`
  const text = {
    noRecord: `No record begins here; skipped ${where}.`,
    headerTooLarge: `The record header is larger than ${headerBytesMax} bytes; skipped ${where}.`,
    lineEnds: `There are more line ends behind a record than the two of the standard.`,
  }[why]
  return complaint(why, text, offset)
}

function foundInside(offset: number): Complaint {
  const text = 'The record before has a wrong length or is damaged: another record begins inside it.'
  return complaint('recordInside', text, offset)
}

interface Stretch {
  from: number
  before: number
  compressed: boolean
}

/** Salvage: the first place in a stretch of the file that looks like a record. */
async function nextRecord(window: FileWindow, { from, before, compressed }: Stretch): Promise<number | undefined> {
  const mark = compressed ? gzipMark : versionMark
  let at = from
  while (at < before) {
    const view = await window.view(at, lookBytes)
    const bytes = Buffer.from(view.buffer, view.byteOffset, view.length)
    if (bytes.length < mark.length) return undefined
    for (let found = bytes.indexOf(mark); found >= 0 && at + found < before; found = bytes.indexOf(mark, found + 1)) {
      if (await recordBegins(window, at + found)) return at + found
    }
    at += bytes.length - mark.length + 1
  }
  return undefined
}

const gzipMark = Buffer.from([0x1f, 0x8b, 8])
const versionMark = Buffer.from('WARC/')

async function recordBegins(window: FileWindow, offset: number): Promise<boolean> {
  const bytes = await window.view(offset, 4096)
  if (isGzip(bytes)) return memberBegins(bytes, 'WARC/')
  return /^WARC\/\d+\.\d+\r?\n/.test(Buffer.from(bytes.subarray(0, 20)).toString('latin1'))
}

interface Flow {
  next(): Promise<Uint8Array | undefined>
}

function plainFlow(window: FileWindow, offset: number): Flow {
  let at = offset
  return {
    async next() {
      const bytes = await window.view(at, 1)
      at += bytes.length
      return bytes.length === 0 ? undefined : bytes
    },
  }
}

/** A flow of bytes with a look ahead. */
class Inflow {
  /** Bytes taken so far. */
  taken = 0
  #flow: Flow
  #held: Uint8Array = new Uint8Array(0)
  #ended = false

  constructor(flow: Flow) {
    this.#flow = flow
  }

  /** At least `bytesMin` bytes, fewer only at the end; they stay until they are taken. */
  async look(bytesMin: number): Promise<Uint8Array> {
    while (this.#held.length < bytesMin && !this.#ended) {
      const more = await this.#flow.next()
      if (!more) this.#ended = true
      else this.#held = this.#held.length === 0 ? more : Buffer.concat([this.#held, more])
    }
    return this.#held
  }

  take(bytes: number): Uint8Array {
    const part = this.#held.subarray(0, bytes)
    this.#held = this.#held.subarray(part.length)
    this.taken += part.length
    return part
  }
}

interface RecordHead {
  bytes: Uint8Array
  version: string
  fields: [string, string][]
  complaints: Complaint[]
}

const innerVersion = /\nWARC\/\d+\.\d+\r?\n/i

const LF = 10
const CR = 13

/** Takes the header with its blank line. */
async function readHeader(inflow: Inflow): Promise<RecordHead | NoRecord> {
  const start = await inflow.look(5)
  if (start.length === 0) return 'end'
  if (start[0] === CR || start[0] === LF) return 'lineEnds'
  // In capitals, says the grammar; RFC 5234 literals are not, so `warc/1.0` is one too.
  if (!beginsWithVersion(start)) return 'noRecord'
  let seenBytes = 0
  for (;;) {
    const bytes = await inflow.look(seenBytes + 1)
    if (bytes.length === seenBytes) return 'noRecord'
    // WARC 0.17 files of ClueWeb09 have lone LF in their headers.
    const end = headEnd(bytes, Math.max(0, seenBytes - 2))
    if (end >= 0) return parseHeader(inflow.take(end)) ?? 'noRecord'
    if (bytes.length > headerBytesMax) return 'headerTooLarge'
    seenBytes = bytes.length
  }
}

function beginsWithVersion(bytes: Uint8Array): boolean {
  return versionMark.every((byte, index) => byte === (index < 4 ? (bytes[index] ?? 0) & 0xdf : bytes[index]))
}

/** Undefined when the header holds the beginning of another: then its end, and all of its block, are lost. */
function parseHeader(header: Uint8Array): RecordHead | undefined {
  const complaints: Complaint[] = []
  const bytes = Buffer.from(header.buffer, header.byteOffset, header.length)
  let text = bytes.toString('utf8')
  if (text.includes('\ufffd')) {
    // WARC 1.1, 4: header values are UTF-8. Older writers put the bytes of a URL there as they were.
    complaints.push(complaint('headerNotUtf8', 'The record header is not UTF-8.'))
    text = bytes.toString('latin1')
  }
  const [firstLine = '', ...lines] = text.split('\n')
  const version = firstLine.trimEnd()
  if (innerVersion.test(text)) return undefined
  if (!/^WARC\/(0\.1[678]|1\.[01])$/i.test(version))
    complaints.push(complaint('versionUnknown', `The record calls itself ${version.slice(0, 20)}.`))
  return { bytes: header, version, fields: parseFields(lines, complaints), complaints }
}

function parseFields(lines: string[], complaints: Complaint[]): [string, string][] {
  const fields: [string, string][] = []
  for (const line of lines) {
    if (line === '' || line === '\r') continue
    const last = fields.at(-1)
    const colon = line.indexOf(':')
    // WARC 1.1, 4: a line that begins with a blank goes on with the value before.
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`.trim()
    else if (colon > 0) fields.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])
    else complaints.push(complaint('fieldOdd', `A header line is no field: ${line.slice(0, 60)}`))
  }
  for (const field of fields) if (field[0].toLowerCase() === 'warc-target-uri') unbracket(field, complaints)
  return fields
}

/** wget up to 1.20 follows the grammar of WARC 1.0, whose `<…>` around the URI the examples and 1.1 do not have. */
function unbracket(field: [string, string], complaints: Complaint[]): void {
  const inside = /^<(.*)>$/.exec(field[1])?.[1]
  if (inside === undefined) return
  field[1] = inside
  complaints.push(complaint('targetBracketed', 'WARC-Target-URI stands between < and >.'))
}

class RecordItem implements ArchiveRecord {
  readonly format = 'warc'
  readonly number = 0
  readonly url: string | undefined
  readonly date: string
  readonly contentType: string | undefined
  readonly offset: number
  readonly version: string
  readonly fields: [string, string][]
  readonly header: Uint8Array
  readonly type: string
  readonly blockBytes: number
  readonly addressable: boolean
  /** Another record follows in the same gzip member; known when finished. */
  followed = false
  #inflow: Inflow
  #member: Member | undefined
  #complaints: Complaint[]
  #remaining: number
  #whole = true
  #begun = false
  #finished: Promise<FinishedRecord> | undefined

  constructor(made: {
    offset: number
    header: RecordHead
    inflow: Inflow
    member: Member | undefined
    first: boolean
  }) {
    this.offset = made.offset
    this.version = made.header.version
    this.fields = made.header.fields
    this.header = made.header.bytes
    this.#complaints = made.header.complaints
    this.#inflow = made.inflow
    this.#member = made.member
    this.addressable = made.first
    this.url = recordField(this, 'warc-target-uri')
    this.date = recordField(this, 'warc-date') ?? ''
    this.contentType = recordField(this, 'content-type')
    this.type = (recordField(this, 'warc-type') ?? '').toLowerCase()
    this.blockBytes = this.#lengthField()
    this.#remaining = this.blockBytes
  }

  async *block(): AsyncGenerator<Uint8Array> {
    if (this.#begun) throw new Error(`the block of the record at ${this.offset} was read before`)
    this.#begun = true
    while (this.#remaining > 0) {
      const bytes = await this.#takeOfBlock()
      if (!bytes) return
      yield bytes
    }
  }

  finish(): Promise<FinishedRecord> {
    this.#finished ??= this.#readToEnd()
    return this.#finished
  }

  async #takeOfBlock(): Promise<Uint8Array | undefined> {
    await this.#inflow.look(1)
    const bytes = this.#inflow.take(this.#remaining)
    this.#remaining -= bytes.length
    if (bytes.length > 0) return bytes
    this.#broken('recordTorn', `The record ends ${this.#remaining} bytes before its Content-Length.`)
    this.#remaining = 0
    return undefined
  }

  async #readToEnd(): Promise<FinishedRecord> {
    this.#begun = true
    while (this.#remaining > 0) await this.#takeOfBlock()
    if (this.#whole) await this.#readEnd()
    if (this.#member && !this.followed) await this.#readMemberEnd(this.#member)
    const complaints = this.#complaints.map((complaint) => ({ ...complaint, offset: this.offset }))
    return { length: this.#lengthInFile(), whole: this.#whole, complaints }
  }

  /** WARC 1.1, 4: two line ends behind the block. */
  async #readEnd(): Promise<void> {
    const bytes = await this.#inflow.look(4)
    if (bytes[0] === CR && bytes[1] === LF && bytes[2] === CR && bytes[3] === LF) {
      this.#inflow.take(4)
      return
    }
    let ends = 0
    while (ends < 4 && (bytes[ends] === CR || bytes[ends] === LF)) ends++
    this.#inflow.take(ends)
    this.#broken('recordEndOdd', `Behind the block stand ${ends} line end characters instead of CR LF CR LF.`)
  }

  async #readMemberEnd(member: Member): Promise<void> {
    const rest = await this.#inflow.look(5)
    if (beginsWithVersion(rest)) {
      this.followed = true
      this.#broken('recordsShareMember', 'Several records share a gzip member, so they cannot be read one by one.')
      return
    }
    let surplusBytes = 0
    for (let bytes = rest; bytes.length > 0; bytes = await this.#inflow.look(1))
      surplusBytes += this.#inflow.take(bytes.length).length
    if (surplusBytes > 0)
      this.#broken('bytesAfterRecord', `${surplusBytes} bytes follow the record in its gzip member.`)
    this.#complaints.push(...member.complaints)
    this.#whole &&= member.whole
  }

  #lengthInFile(): number {
    if (this.#member) return this.followed ? 0 : this.#member.length
    return this.#inflow.taken
  }

  #lengthField(): number {
    const text = recordField(this, 'content-length')
    const bytes = text !== undefined && /^\d+$/.test(text) ? Number(text) : NaN
    if (Number.isSafeInteger(bytes)) return bytes
    this.#broken('lengthInvalid', `The record has no valid Content-Length (${text ?? 'none'}).`)
    return 0
  }

  #broken(rule: RuleName, text: string): void {
    this.#whole = false
    this.#complaints.push(complaint(rule, text))
  }
}
