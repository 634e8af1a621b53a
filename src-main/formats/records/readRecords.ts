/** Reads archive files record by record: WARC 0.17 to 1.1 and ARC 1.0 to 2.0, uncompressed, in gzip members or in
 *  zstd frames, with any number of records in a member. Memory is bounded by the window of the file, whatever length
 *  a record states. After damage, the next record is searched for, and the skipped bytes are reported. The meaning
 *  of records is handled elsewhere (cdx, check), as are files inside packages (archiveParts.ts). */
import { type ByteSource, FileWindow, sequenceBytes, type Window, windowBytes } from '../bytes/fileWindow.ts'
import type { Member } from '../packing/member.ts'
import { Members, memberMarks } from '../packing/members.ts'
import { isSkippableFrame } from '../packing/zstdFrames.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { HeldRecord } from './heldRecord.ts'
import { skipLineEnds, takeEnd, endFindings } from './lineEnds.ts'
import type { ArchiveRecord } from './record.ts'
import { RecordFlow } from './recordFlow.ts'
import { RecordItem, type EndOfRecord } from './recordItem.ts'
import { type Syntax, arcSyntax, heldWarcRecord, warcSyntax, type NoHeader, headerBytesMax } from './syntax.ts'

/** Options for reading a file; by default all of it is read. */
export interface ReadOptions {
  /** Offset of the first record; when none begins there, reading starts at the next one. */
  from?: number
  /** Records that begin at or after this offset are not read. */
  to?: number
  /** Receives damage between records. Findings within a record are returned by its `finish`. */
  onFinding?: (finding: Finding) => void
}

/** Yields the records of a file in order. A record is finished when the next one is requested. */
export function readRecords(source: ByteSource, options: ReadOptions = {}): AsyncGenerator<ArchiveRecord> {
  return recordReader(source, options).records()
}

/** Does the same as `readRecords` with a window that the caller provides. */
export function readRecordsThrough(window: Window, options: ReadOptions = {}): AsyncGenerator<ArchiveRecord> {
  return new Reader(new Members(window, { inSequence: true }), options).records()
}

/** A reader for callers to whom each wait matters, such as an index of millions of records. */
export interface RecordReader {
  /** Yields the records that `nextHeld` has not returned. To be called once. */
  records(): AsyncGenerator<ArchiveRecord>
  /** Returns the next record of the file when it is in memory as a whole. Undefined when the next one has to be read with
   *  `records`, or while a record of `records` is not finished. */
  nextHeld(): HeldRecord | undefined
}

/** Reads the records of a file in order, in part without waiting. */
export function recordReader(source: ByteSource, options: ReadOptions = {}): RecordReader {
  // A caller that begins at an offset usually wants a few records and not the rest of the file.
  const window = new FileWindow(source, options.from === undefined ? sequenceBytes : windowBytes)
  return new Reader(new Members(window, { inSequence: true }), options)
}

/** Reads the record at `offset`. Returns undefined when none begins there. A caller that knows the length of the
 *  record in the file passes it, and nothing after it is read: a window of a megabyte for each page of 5 kB would
 *  keep the garbage collector busier than the pages do. */
export async function readRecordAt(
  source: ByteSource,
  offset: number,
  length = Infinity,
): Promise<ArchiveRecord | undefined> {
  const window = new FileWindow(source, length === Infinity ? unknownLengthBytes : windowBytes, offset + length)
  const members = new Members(window, { inSequence: false })
  const record = await new Reader(members, { from: offset }).first()
  // A wrong length in an index may not even cover the header, or may end where another record begins inside this one:
  // the record is read again without it.
  return record ?? (length === Infinity ? undefined : readRecordAt(source, offset))
}

/** Bytes that are read at a time for one record of unknown length: most records are shorter. */
const unknownLengthBytes = 64 * 1024

/** Limit on reading again, as a multiple of the bytes read. A wrong Content-Length makes the bytes that it covers be
 *  searched again for records. A file of nothing but wrong lengths would be read once for each record, so after this
 *  limit lengths are no longer trusted. */
const againTimesMax = 4

/** Bytes of a record's beginning that are enough to recognise it with certainty. */
const certaintyBytes = 4096

/** Reads the records of one file. The flow is the part of the unpacked bytes that is being read: one member, or the rest of
 *  an uncompressed file. Between two records it is at a line end, at a record, or at bytes that belong to none. */
class Reader implements RecordReader {
  #members: Members
  #options: ReadOptions
  /** Offset of the next flow; undefined at the end of the file. */
  #offset: number | undefined
  /** A member that `nextHeld` found to be more, or less, than one record. */
  #notHeld: Member | undefined
  /** True while records of a flow are read. */
  #inFlow = false
  /** Syntax of the file, known from the first record on. For ARC it includes the version. */
  #syntax: Syntax | undefined
  #number = 0
  #flow!: RecordFlow
  /** True when only line ends have been taken from the flow: a record that begins here is at the offset of the flow. */
  #atStart = true
  /** Bytes searched a second time for records inside of records. */
  #againBytes = 0
  /** Bytes read for the first time. */
  #readBytes = windowBytes
  /** How much of the current flow is included in `#readBytes`. */
  #reachBytes = 0
  /** True when so many lengths were wrong that none is trusted: a block then ends where a record certainly
   *  begins. */
  #distrustsLengths = false
  /** Position in the flow of the next record found by `#bytesOfBlock`; -1 when unknown. */
  #nextAtBytes = -1

  constructor(members: Members, options: ReadOptions) {
    this.#members = members
    this.#options = options
    this.#offset = options.from ?? 0
  }

  async *records(): AsyncGenerator<ArchiveRecord> {
    const { to = Infinity } = this.#options
    while (this.#offset !== undefined && this.#offset < to) {
      const offset = this.#offset
      const flow = await RecordFlow.open(this.#members, offset, this.#notHeld)
      this.#notHeld = undefined
      if (flow === 'end') return
      const held = flow === 'noMember' ? undefined : this.#heldIn(flow)
      if (held) yield held
      else if (flow === 'noMember') this.#offset = await this.#skipMember(offset)
      else {
        this.#inFlow = true
        this.#offset = yield* this.#recordsIn(flow, to)
        this.#inFlow = false
      }
      for (let next = this.nextHeld(); next; next = this.nextHeld()) yield next
    }
  }

  nextHeld(): HeldRecord | undefined {
    const offset = this.#offset
    if (this.#inFlow || this.#notHeld || offset === undefined || offset >= (this.#options.to ?? Infinity))
      return undefined
    const member = this.#members.takeHeld(offset)
    const record = member?.content && this.#heldRecord(offset, member.content, member.length)
    if (!record) this.#notHeld = member
    return record
  }

  /** Returns the record of a flow that is a member in memory with one record; otherwise undefined, with nothing taken. */
  #heldIn(flow: RecordFlow): HeldRecord | undefined {
    if (!flow.packed || !flow.ended || !flow.whole || flow.findings.length > 0) return undefined
    return this.#heldRecord(flow.offset, flow.held, flow.endOffset - flow.offset)
  }

  /** Returns the record that a member consists of, as nearly all do: a header, the block, and the line ends. Returns undefined
   *  for any other content, which has to be read step by step. */
  #heldRecord(offset: number, content: Uint8Array, length: number): HeldRecord | undefined {
    if (this.#distrustsLengths || (this.#syntax && this.#syntax !== warcSyntax)) return undefined
    const held = heldWarcRecord(content)
    if (!held) return undefined
    this.#syntax = warcSyntax
    this.#number += 1
    this.#readBytes += content.length
    this.#offset = offset + length
    return new HeldRecord(held, { number: this.#number, offset, length })
  }

  /** Returns the record at `from`; undefined when none begins there. */
  async first(): Promise<ArchiveRecord | undefined> {
    for (let offset = this.#options.from ?? 0; ;) {
      const flow = await RecordFlow.open(this.#members, offset)
      if (typeof flow === 'string') return undefined
      this.#flow = flow
      await skipLineEnds(flow)
      await this.#look(flow)
      if (this.#begins(flow.held)) {
        const item = await this.#readRecord()
        if (item) return item
      }
      flow.close()
      if (!isEmpty(flow)) return undefined
      // An index may point at a member without content that precedes the member of the record.
      offset = flow.endOffset
    }
  }

  /** Yields the records of a flow. Returns the offset at which reading continues; undefined at the end of the file. */
  async *#recordsIn(flow: RecordFlow, to: number): AsyncGenerator<ArchiveRecord, number | undefined> {
    this.#flow = flow
    this.#atStart = true
    this.#reachBytes = 0
    this.#nextAtBytes = -1
    try {
      while (await this.#nextPlace()) {
        if (!this.#flow.packed && this.#flow.endOffset >= to) return undefined
        const item = await this.#readRecord()
        if (item) {
          yield item
          await item.finish()
        }
        this.#atStart = false
      }
      return await this.#afterFlow()
    } finally {
      this.#flow.close()
    }
  }

  /** Skips bytes that belong to no record. Returns false when the flow has no more records. */
  async #nextPlace(): Promise<boolean> {
    for (;;) {
      const flow = this.#flow
      await skipLineEnds(flow)
      await this.#look(flow)
      if (flow.held.length === 0) return false
      if (!flow.packed && this.#members.begins(flow.held)) return false
      if (this.#begins(flow.held)) return true
      const offset = this.#placeOf(flow)
      const skippedBytes = await this.#seek(flow)
      this.#atStart = false
      this.#report(finding('noRecord', { bytes: skippedBytes }, offset))
    }
  }

  /** Loads enough bytes to see whether a record begins here, including those of the next member when this one ends
   *  early. */
  async #look(flow: RecordFlow): Promise<void> {
    if (flow.held.length < certaintyBytes && !flow.ended) await flow.load(certaintyBytes)
    while (flow.held.length > 0 && flow.held.length < certaintyBytes && !this.#begins(flow.held))
      if (!(await flow.more(this.#beginsHere))) return
  }

  /** Returns the offset at which reading continues after a flow without further records; undefined at the end of the
   *  file. */
  async #afterFlow(): Promise<number | undefined> {
    const flow = this.#flow
    for (const found of flow.findings.splice(0)) this.#options.onFinding?.(found)
    if (!flow.packed) return flow.held.length === 0 ? undefined : flow.endOffset
    if (isEmpty(flow)) await this.#noteEmpty(flow)
    // After a wrong checksum, the content already read is not searched for records: those of an archived WARC would be
    // found.
    if (flow.whole || (flow.complete && (await this.#isBoundary(flow.endOffset)))) return flow.endOffset
    return this.#nextBeginning(flow.memberOffset + 1)
  }

  /** Reports a member without content, which readers may take for the end of the file. */
  async #noteEmpty({ offset }: RecordFlow): Promise<void> {
    // A skippable frame is empty by design (RFC 8878, 3.1.2).
    if (isSkippableFrame(await this.#members.window.view(offset, 4))) return
    this.#report(finding('memberEmpty', offset))
  }

  /** Whether a record or a member begins at an offset, or the file ends there. */
  async #isBoundary(offset: number): Promise<boolean> {
    const bytes = await this.#members.window.view(offset, certaintyBytes)
    if (bytes.length === 0 || this.#begins(bytes)) return true
    return (await this.#members.contentBegin(offset)) !== undefined
  }

  /** Skips bytes that no member begins with. Returns the offset of the next beginning. */
  async #skipMember(offset: number): Promise<number | undefined> {
    const next = await this.#nextBeginning(offset + 1)
    this.#report(
      next === undefined
        ? finding('noRecord.memberToEnd', offset)
        : finding('noRecord.member', { bytes: next - offset }, offset),
    )
    return next
  }

  /** Returns the offset of the next record, or of the next member that begins with one; undefined when there is
   *  none. */
  async #nextBeginning(offset: number): Promise<number | undefined> {
    const flow = RecordFlow.plain(this.#members, offset)
    await this.#seek(flow)
    return flow.held.length === 0 ? undefined : flow.endOffset
  }

  /** Reads the header of the record at the current position. Returns undefined when it is invalid; the flow is then
   *  at the next place that looks like a record, or at its end. */
  async #readRecord(): Promise<RecordItem | undefined> {
    const flow = this.#flow
    const offset = this.#placeOf(flow)
    const startBytes = flow.takenBytes
    const startMember = flow.memberAt(startBytes)
    this.#syntax ??= syntaxes.find((syntax) => syntax.begins(flow.held))
    const read = (await this.#syntax?.readHeader(flow, this.#beginsHere)) ?? 'noRecord'
    if (typeof read === 'string') {
      flow.take(1)
      const skippedBytes = 1 + (await this.#seek(flow))
      this.#report(noHeader(read, skippedBytes, offset))
      return undefined
    }
    const { header, introduction } = read
    if (introduction.format === 'arc') this.#syntax = arcSyntax(introduction.version)
    this.#number += 1
    const addressable = !flow.packed || this.#atStart
    const place = { number: this.#number, offset, addressable, header, startBytes, startMember }
    const reading = {
      flow,
      beginsRecord: this.#beginsHere,
      trustsLength: () => !this.#distrustsLengths,
      bytesOfBlock: () => this.#bytesOfBlock(),
      readPastEnd: (item: RecordItem) => this.#readPastEnd(item),
    }
    return new RecordItem(reading, introduction, place)
  }

  /** Reads past the end of a block: checks the line ends, determines the record's length in the file, and detects a
   *  wrong Content-Length by the bytes that follow. */
  async #readPastEnd(item: RecordItem): Promise<EndOfRecord> {
    const flow = this.#flow
    const syntax = this.#syntax ?? warcSyntax
    const blockEndBytes = flow.takenBytes
    const lineEnds = item.whole ? await takeEnd(flow, syntax.end, this.#beginsHere) : ''
    const spansMembers = flow.memberAt(flow.takenBytes - 1).number > item.startMember.number
    const endBytes = syntax.endCounts ? flow.takenBytes : blockEndBytes
    const surplusAt = this.#placeOf(flow)
    const surplus = await skipLineEnds(flow)
    if (surplus > 0) this.#report(finding('lineEnds', { count: surplus }, surplusAt))
    await this.#look(flow)
    this.#readBytes += Math.max(0, flow.takenBytes - this.#reachBytes)
    this.#reachBytes = Math.max(flow.takenBytes, this.#reachBytes)
    // When only the checksum is wrong, the record still ends where its length says.
    const isComplete = item.whole
    item.whole &&= flow.whole
    const findings = flow.findings.splice(0)
    if (spansMembers) findings.push(finding('recordSpansMembers'))
    const isLast = flow.held.length === 0
    const isFollowed = this.#begins(flow.held) || (!flow.packed && this.#members.begins(flow.held))
    // When the line ends are correct, so is the length; what follows in an uncompressed file is reported at its own
    // offset.
    const isEnded = !flow.packed && lineEnds === Buffer.from(syntax.end).toString('latin1')
    if (isComplete && (isLast || isFollowed || isEnded)) {
      if (item.whole) findings.push(...endFindings(lineEnds, isLast, syntax))
    } else if (isFollowed && !isComplete) {
      findings.push(finding('recordInside'))
    } else if (await this.#foundInside(item)) {
      findings.push(finding('recordInside'))
      return { length: flow.packed ? 0 : this.#flow.takenBytes - item.startBytes, findings }
    } else if (!isLast) {
      const strayBytes = await this.#seek(flow)
      findings.push(finding('bytesAfterRecord', { bytes: strayBytes }))
    }
    if (!flow.packed) return { length: endBytes - item.startBytes, findings }
    if (flow.held.length === 0) return { length: item.addressable ? flow.endOffset - flow.offset : 0, findings }
    if (item.addressable) findings.push(finding('recordsShareMember'))
    return { length: 0, findings }
  }

  /** Searches a record for another one inside: a damaged record may state a wrong length that covers the next
   *  record. Returns true when one was found; the flow is then at its beginning. */
  async #foundInside(item: RecordItem): Promise<boolean> {
    const flow = this.#flow
    if (this.#distrustsLengths) return false
    this.#againBytes += flow.takenBytes - (flow.packed ? item.startMember.startBytes : item.startBytes)
    this.#distrustsLengths = this.#againBytes > againTimesMax * this.#readBytes
    const again = await flow.again(item.startBytes + 1, item.startMember)
    if (!again) return false
    do await this.#seek(again, flow.takenBytes)
    while (again.held.length === 0 && again.takenBytes < flow.takenBytes && (await again.more(this.#beginsHere)))
    if (again.held.length === 0 || again.takenBytes >= flow.takenBytes) {
      again.close()
      return false
    }
    flow.close()
    this.#flow = again
    return true
  }

  /** Returns how many of the bytes held next belong to the block, found without relying on the stated length. */
  async #bytesOfBlock(): Promise<number> {
    const flow = this.#flow
    if (flow.takenBytes === this.#nextAtBytes) return 0
    await flow.load(certaintyBytes + 1)
    const next = await this.#firstBeginning(flow)
    if (next >= 0) {
      this.#nextAtBytes = flow.takenBytes + next
      return next
    }
    return flow.ended ? flow.held.length : flow.held.length - certaintyBytes
  }

  /** Skips bytes until a record certainly begins, nothing is left, or `untilBytes` is reached. Returns the number of
   *  skipped bytes. */
  async #seek(flow: RecordFlow, untilBytes = Infinity): Promise<number> {
    const fromBytes = flow.takenBytes
    while (flow.takenBytes < untilBytes) {
      await flow.load(certaintyBytes)
      const at = await this.#firstBeginning(flow)
      if (at >= 0) {
        flow.take(at)
        break
      }
      // A record that can be recognised only by its first kilobytes is examined again in the next round.
      flow.take(flow.ended ? flow.held.length : Math.max(1, flow.held.length - certaintyBytes))
      if (flow.held.length === 0 && flow.ended) break
    }
    return flow.takenBytes - fromBytes
  }

  /** Returns the position of the first record among the bytes that the flow holds, or, in uncompressed bytes,
   *  of the first member that begins with a record; -1 when there is none. */
  async #firstBeginning(flow: RecordFlow): Promise<number> {
    const found = (this.#syntax ? [this.#syntax] : syntaxes).map((syntax) => syntax.find(flow.held))
    const record = Math.min(...found.map((at) => (at < 0 ? Infinity : at)))
    const member = flow.packed ? Infinity : await this.#firstMember(flow, Math.min(record, flow.held.length))
    const first = Math.min(record, member)
    return first === Infinity ? -1 : first
  }

  /** Returns the position of the first member before `before` whose content begins with a record; Infinity if none. */
  async #firstMember({ held, endOffset }: RecordFlow, before: number): Promise<number> {
    const buffer = Buffer.from(held.buffer, held.byteOffset, before)
    let first = Infinity
    for (const mark of memberMarks) {
      for (let at = buffer.indexOf(mark); at >= 0 && at < first; at = buffer.indexOf(mark, at + 1)) {
        const content = await this.#members.contentBegin(endOffset + at)
        if (content && this.#begins(content)) first = at
      }
    }
    return first
  }

  /** Decides whether a member after a damaged one begins a record. While the format is unknown, the line may be that
   *  of any format. */
  readonly #beginsHere = (bytes: Uint8Array): boolean =>
    this.#syntax ? this.#syntax.begins(bytes) : syntaxes.some((syntax) => syntax.begins(bytes))

  #begins(bytes: Uint8Array): boolean {
    if (this.#syntax) return this.#syntax.begins(bytes)
    // A caller that passes an offset knows that a record begins there, so the less strict test applies.
    const begins = this.#options.from === undefined ? 'beginsFile' : 'begins'
    return syntaxes.some((syntax) => syntax[begins](bytes))
  }

  /** Offset of the current position: of the member for packed bytes. */
  #placeOf(flow: RecordFlow): number {
    return flow.packed ? flow.memberAt(flow.takenBytes).offset : flow.endOffset
  }

  #report(found: Finding): void {
    this.#options.onFinding?.(found)
  }
}

const syntaxes = [warcSyntax, arcSyntax('ARC/1.0')]

/** Returns true for a complete member or frame without content. */
function isEmpty(flow: RecordFlow): boolean {
  return flow.packed && flow.whole && flow.ended && flow.takenBytes === 0 && flow.held.length === 0
}

/** Creates the finding for a place where a record should begin, but has no complete header. */
function noHeader(read: NoHeader, bytes: number, offset: number): Finding {
  if (read === 'noRecord') return finding('noRecord.header', { bytes }, offset)
  if (read === 'headerTorn') return finding('headerTorn', { bytes }, offset)
  return finding('headerTooLarge', { bytesMax: headerBytesMax, bytes }, offset)
}
