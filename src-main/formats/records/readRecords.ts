/** Archive files read record by record: WARC 0.17 to 1.1 and ARC 1.0 to 2.0, plain or in gzip members or zstd frames, however
 *  many records a member holds. Memory is bounded by the window of the file, whatever a record claims to hold. Behind
 *  damage the next record is looked for, and what was left out is said. Deliberately not here: what records mean (cdx, check)
 *  and what lies inside packages (archiveParts.ts). */
import { FileWindow, windowBytes, type ByteSource, type Window } from '../bytes/fileWindow.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { memberMarks, Members } from '../packing/members.ts'
import { isSkippableFrame } from '../packing/zstdFrames.ts'
import type { RuleName } from '../rules/rules.ts'
import type { ArchiveRecord } from './record.ts'
import { RecordFlow } from './recordFlow.ts'
import { RecordItem, type Behind } from './recordItem.ts'
import { arcSyntax, headerBytesMax, warcSyntax, type NoHeader, type Syntax } from './syntax.ts'

export interface ReadOptions {
  /** Offset of a record; the next record is taken when none begins there. */
  from?: number
  /** Records that begin at or after this offset are left out. */
  to?: number
  /** Damage between records. What is wrong within one is said by its `finish`. */
  onFinding?: (finding: Finding) => void
}

export function readRecords(source: ByteSource, options: ReadOptions = {}): AsyncGenerator<ArchiveRecord> {
  return readRecordsThrough(new FileWindow(source), options)
}

export function readRecordsThrough(window: Window, options: ReadOptions = {}): AsyncGenerator<ArchiveRecord> {
  return new Reader(new Members(window, { inSequence: true }), options).records()
}

/** Undefined when no record begins at `offset`. A caller that knows the length of the record in the file states it, and nothing after it is
 *  read: a window of a megabyte for each page of 5 kB keeps the garbage collector busier than the pages do. */
export async function readRecordAt(
  source: ByteSource,
  offset: number,
  length = Infinity,
): Promise<ArchiveRecord | undefined> {
  const window = new FileWindow(source, windowBytes, offset + length)
  const members = new Members(window, { inSequence: false })
  const record = await new Reader(members, { from: offset }).first()
  // Not even its header lies within a length that an index has wrong, or that ends where another record begins inside it.
  return record ?? (length === Infinity ? undefined : readRecordAt(source, offset))
}

/** Lengths that lie make what they swallow be read again. A file of nothing else would be read once for each of its records,
 *  so that is done for a few times its size only; then lengths are no longer believed. */
const againTimesMax = 4

/** Enough of a record's beginning to be sure that it is one. */
const certaintyBytes = 4096

class Reader {
  #members: Members
  #options: ReadOptions
  /** Known from the first record on; the version of ARC is part of it. */
  #syntax: Syntax | undefined
  #number = 0
  #flow!: RecordFlow
  /** Nothing but line ends was taken of the flow: what begins here is what its offset points at. */
  #atStart = true
  /** Bytes that were looked at a second time for records inside of records. */
  #againBytes = 0
  /** Bytes that were read a first time, and how far that is in this flow. */
  #readBytes = windowBytes
  #reachBytes = 0
  /** So many lengths lied that none is believed any more: a block ends where a record surely begins. */
  #wary = false
  /** Where that is in the flow. */
  #nextAtBytes = -1

  constructor(members: Members, options: ReadOptions) {
    this.#members = members
    this.#options = options
  }

  async *records(): AsyncGenerator<ArchiveRecord> {
    const { from = 0, to = Infinity } = this.#options
    for (let offset: number | undefined = from; offset !== undefined && offset < to;) {
      const flow = await RecordFlow.open(this.#members, offset)
      if (flow === 'end') return
      offset = flow === 'noMember' ? await this.#skipMember(offset) : yield* this.#recordsIn(flow, to)
    }
  }

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
      // An index may point at a member without content where the record's own member follows.
      offset = flow.endOffset
    }
  }

  /** Returns where the file goes on; undefined at its end. */
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
      return await this.#behindFlow()
    } finally {
      this.#flow.close()
    }
  }

  /** Takes what is no record. False when this flow has no more of them. */
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
      this.#report('noRecord', `${skippedBytes} bytes belong to no record.`, offset)
    }
  }

  /** Loads what shows whether a record begins here: where the member ends within it, the next one too. */
  async #look(flow: RecordFlow): Promise<void> {
    if (flow.held.length < certaintyBytes && !flow.ended) await flow.load(certaintyBytes)
    while (flow.held.length > 0 && flow.held.length < certaintyBytes && !this.#begins(flow.held))
      if (!(await flow.more(this.#beginsHere))) return
  }

  /** Where the file goes on after a flow that has no more records; undefined at its end. */
  async #behindFlow(): Promise<number | undefined> {
    const flow = this.#flow
    for (const found of flow.findings.splice(0)) this.#options.onFinding?.(found)
    if (!flow.packed) return flow.held.length === 0 ? undefined : flow.endOffset
    if (isEmpty(flow)) await this.#noteEmpty(flow)
    // A wrong checksum is no reason to look for records within what was read: those of an archived WARC would be found.
    if (flow.whole || (flow.complete && (await this.#isBoundary(flow.endOffset)))) return flow.endOffset
    return this.#nextBeginning(flow.memberOffset + 1)
  }

  async #noteEmpty({ offset }: RecordFlow): Promise<void> {
    // A skippable frame is there to be empty (RFC 8878, 3.1.2).
    if (isSkippableFrame(await this.#members.window.view(offset, 4))) return
    this.#report('memberEmpty', 'Empty compressed member.', offset)
  }

  async #isBoundary(offset: number): Promise<boolean> {
    const bytes = await this.#members.window.view(offset, certaintyBytes)
    if (bytes.length === 0 || this.#begins(bytes)) return true
    return (await this.#members.contentBegin(offset)) !== undefined
  }

  async #skipMember(offset: number): Promise<number | undefined> {
    const next = await this.#nextBeginning(offset + 1)
    const skipped = next === undefined ? 'to the end of the file' : `${next - offset} bytes`
    this.#report('noRecord', `Damaged start of a compressed record; skipped ${skipped}.`, offset)
    return next
  }

  /** In the file, of a record or of the member around one. */
  async #nextBeginning(offset: number): Promise<number | undefined> {
    const flow = RecordFlow.plain(this.#members, offset)
    await this.#seek(flow)
    return flow.held.length === 0 ? undefined : flow.endOffset
  }

  /** Undefined when the header is none; then the flow is at the next place that looks like a record, or at its end. */
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
      this.#report(read, `${noHeader[read]}; skipped ${skippedBytes} bytes.`, offset)
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
      believesLength: () => !this.#wary,
      bytesOfBlock: () => this.#bytesOfBlock(),
      lookBehind: (item: RecordItem) => this.#lookBehind(item),
    }
    return new RecordItem(reading, introduction, place)
  }

  /** After the block: the line ends, how long the record is in the file, and whether its length can be believed. */
  async #lookBehind(item: RecordItem): Promise<Behind> {
    const flow = this.#flow
    const syntax = this.#syntax ?? warcSyntax
    const blockEndBytes = flow.takenBytes
    const lineEnds = item.whole ? await takeEnd(flow, syntax.end, this.#beginsHere) : ''
    const spansMembers = flow.memberAt(flow.takenBytes - 1).number > item.startMember.number
    const endBytes = syntax.endCounts ? flow.takenBytes : blockEndBytes
    const surplusAt = this.#placeOf(flow)
    const surplus = await skipLineEnds(flow)
    if (surplus > 0) this.#report('lineEnds', `${surplus} extra line break characters after the record.`, surplusAt)
    await this.#look(flow)
    this.#readBytes += Math.max(0, flow.takenBytes - this.#reachBytes)
    this.#reachBytes = Math.max(flow.takenBytes, this.#reachBytes)
    // Where only a checksum is wrong, the record ends all the same where it says.
    const isComplete = item.whole
    item.whole &&= flow.whole
    const findings = flow.findings.splice(0)
    if (spansMembers) findings.push(finding('recordSpansMembers', 'The record spans several compressed members.'))
    const isLast = flow.held.length === 0
    const isFollowed = this.#begins(flow.held) || (!flow.packed && this.#members.begins(flow.held))
    // With the right line ends its length is right too, and what follows in a plain file has a place of its own.
    const isEnded = !flow.packed && lineEnds === Buffer.from(syntax.end).toString('latin1')
    if (isComplete && (isLast || isFollowed || isEnded)) {
      if (item.whole) findings.push(...endFindings(lineEnds, isLast, syntax))
    } else if (isFollowed && !isComplete) {
      findings.push(finding('recordInside', 'Another record begins inside this one.'))
    } else if (await this.#foundInside(item)) {
      findings.push(finding('recordInside', 'Another record begins inside this one.'))
      return { length: flow.packed ? 0 : this.#flow.takenBytes - item.startBytes, findings }
    } else if (!isLast) {
      const strayBytes = await this.#seek(flow)
      findings.push(finding('bytesAfterRecord', `${strayBytes} stray bytes after the record.`))
    }
    if (!flow.packed) return { length: endBytes - item.startBytes, findings }
    if (flow.held.length === 0) return { length: item.addressable ? flow.endOffset - flow.offset : 0, findings }
    if (item.addressable)
      findings.push(finding('recordsShareMember', 'More records follow in the same compressed member.'))
    return { length: 0, findings }
  }

  /** A damaged record may say a wrong length and swallow the next: then the flow is at the beginning of that one. */
  async #foundInside(item: RecordItem): Promise<boolean> {
    const flow = this.#flow
    if (this.#wary) return false
    this.#againBytes += flow.takenBytes - (flow.packed ? item.startMember.startBytes : item.startBytes)
    this.#wary = this.#againBytes > againTimesMax * this.#readBytes
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

  /** How many of the bytes held next belong to a block, however long it calls itself. */
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

  /** Takes what is no record, until one surely begins or nothing is held; no further than `untilBytes`. Returns how much. */
  async #seek(flow: RecordFlow, untilBytes = Infinity): Promise<number> {
    const fromBytes = flow.takenBytes
    while (flow.takenBytes < untilBytes) {
      await flow.load(certaintyBytes)
      const at = await this.#firstBeginning(flow)
      if (at >= 0) {
        flow.take(at)
        break
      }
      // What is certain only with its first kilobytes in sight is met again in the next round.
      flow.take(flow.ended ? flow.held.length : Math.max(1, flow.held.length - certaintyBytes))
      if (flow.held.length === 0 && flow.ended) break
    }
    return flow.takenBytes - fromBytes
  }

  /** Among the bytes that the flow holds: a record, or in a plain stretch a member that begins with one; -1 when none does. */
  async #firstBeginning(flow: RecordFlow): Promise<number> {
    const found = (this.#syntax ? [this.#syntax] : syntaxes).map((syntax) => syntax.find(flow.held))
    const record = Math.min(...found.map((at) => (at < 0 ? Infinity : at)))
    const member = flow.packed ? Infinity : await this.#firstMember(flow, Math.min(record, flow.held.length))
    const first = Math.min(record, member)
    return first === Infinity ? -1 : first
  }

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

  /** For a member after a damaged one: where the format is not known, any line that could begin a record does. */
  readonly #beginsHere = (bytes: Uint8Array): boolean =>
    this.#syntax ? this.#syntax.begins(bytes) : syntaxes.some((syntax) => syntax.begins(bytes))

  #begins(bytes: Uint8Array): boolean {
    if (this.#syntax) return this.#syntax.begins(bytes)
    // A caller that names an offset knows that a record begins there.
    const begins = this.#options.from === undefined ? 'beginsFile' : 'begins'
    return syntaxes.some((syntax) => syntax[begins](bytes))
  }

  #placeOf(flow: RecordFlow): number {
    return flow.packed ? flow.memberAt(flow.takenBytes).offset : flow.endOffset
  }

  #report(rule: RuleName, text: string, offset: number): void {
    this.#options.onFinding?.(finding(rule, text, offset))
  }
}

const syntaxes = [warcSyntax, arcSyntax('ARC/1.0')]

/** A whole member or frame from which nothing came. */
function isEmpty(flow: RecordFlow): boolean {
  return flow.packed && flow.whole && flow.ended && flow.takenBytes === 0 && flow.held.length === 0
}

const noHeader: Record<NoHeader, string> = {
  noRecord: 'Damaged start of a record',
  headerTorn: 'The file ends inside the header of a record',
  headerTooLarge: `No end of the header within ${headerBytesMax} bytes`,
}

const CR = 13
const LF = 10

/** Returns how many there were. */
async function skipLineEnds(flow: RecordFlow): Promise<number> {
  let count = 0
  for (;;) {
    if (flow.held.length === 0 && !flow.ended) await flow.load(1)
    const { held } = flow
    let ends = 0
    while (held[ends] === CR || held[ends] === LF) ends++
    if (ends === 0) return count
    flow.take(ends)
    count += ends
  }
}

/** Takes the line ends after a block. Returns those that stand there, in latin1. */
async function takeEnd(
  flow: RecordFlow,
  end: Uint8Array,
  beginsRecord: (bytes: Uint8Array) => boolean,
): Promise<string> {
  if (flow.held.length < end.length && !flow.ended) await flow.load(end.length)
  // Only what is cut in the middle goes on in the next member: one that begins with all of them is that of the next record.
  const isCut = flow.held.length > 0 && flow.held.every((byte, index) => byte === end[index])
  while (isCut && flow.held.length < end.length && (await flow.more(beginsRecord))) continue
  if (end.every((byte, index) => flow.held[index] === byte)) {
    flow.take(end.length)
    return Buffer.from(end).toString('latin1')
  }
  let ends = 0
  while (ends < end.length && (flow.held[ends] === CR || flow.held[ends] === LF)) ends++
  return Buffer.from(flow.take(ends)).toString('latin1')
}

function endFindings(lineEnds: string, isLast: boolean, { end, format }: Syntax): Finding[] {
  const wanted = Buffer.from(end).toString('latin1')
  // Many writers leave it out after the last record of an ARC file.
  if (lineEnds === wanted || (isLast && format === 'arc')) return []
  return [finding('recordEndOdd', `The block is followed by ${spelled(lineEnds)} instead of ${spelled(wanted)}.`)]
}

function spelled(lineEnds: string): string {
  if (lineEnds === '') return 'no line break'
  return [...lineEnds].map((byte) => (byte === '\r' ? 'CR' : 'LF')).join(' ')
}
