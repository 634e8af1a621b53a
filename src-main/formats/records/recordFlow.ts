/** The unpacked bytes of a file from one offset on: uncompressed ones, or those of a member and the members that
 *  continue it. A flow only knows how a record begins, because a member that begins with a record never continues
 *  the previous one. */
import type { Finding } from '../rules/finding.ts'
import type { Member } from '../packing/member.ts'
import type { Members } from '../packing/members.ts'

/** Bytes loaded before looking for a header, in nearly all cases enough for all of it. */
const lookBytes = 64 * 1024

/** Start of a member's content. */
export interface MemberStart {
  /** Offset of the member in the file. */
  offset: number
  /** Unpacked bytes of the flow before the member. */
  startBytes: number
  /** Number of the member in the flow, from 1. */
  number: number
}

/** A flow. Bytes are loaded into `held` and taken from its beginning; `takenBytes` plus the length of `held` is
 *  the number of bytes unpacked so far. A flow with members ends with its last one until `more` continues it. */
export class RecordFlow {
  /** Offset in the file. */
  readonly offset: number
  readonly packed: boolean
  /** Bytes loaded but not yet taken. */
  held: Uint8Array = new Uint8Array(0)
  /** True when no bytes follow those in `held`. */
  ended = false
  /** Number of unpacked bytes taken so far. */
  takenBytes = 0
  /** Number of members; more than one for a record that spans members. */
  memberCount = 1
  readonly findings: Finding[] = []
  /** Starts of the members that have content in `held`, and of the last one. */
  #starts: MemberStart[] = []
  #members: Members
  #member: Member | undefined
  /** Offset of the last member in the file. */
  memberOffset: number
  /** Offset from which the next uncompressed bytes are loaded. */
  #plainAt: number

  private constructor(members: Members, offset: number, member: Member | undefined) {
    this.offset = offset
    this.packed = member !== undefined
    this.#members = members
    this.memberOffset = offset
    this.#plainAt = offset
    this.#enter(member)
  }

  /** Opens a flow at `offset`, of the member `opened` when it is open already. Returns `end` at the end of the file, and `noMember`
   *  when the bytes begin like a member but are not one. */
  static async open(members: Members, offset: number, opened?: Member): Promise<RecordFlow | 'end' | 'noMember'> {
    if (opened) return new RecordFlow(members, offset, opened)
    const bytes = await members.window.view(offset, lookBytes)
    if (bytes.length === 0) return 'end'
    if (!members.begins(bytes)) return new RecordFlow(members, offset, undefined)
    const member = await members.open(offset, bytes)
    return member ? new RecordFlow(members, offset, member) : 'noMember'
  }

  /** Opens a flow of the bytes without unpacking them. */
  static plain(members: Members, offset: number): RecordFlow {
    return new RecordFlow(members, offset, undefined)
  }

  /** Loads until `held` has at least `bytesMin` bytes, or the flow ends. */
  async load(bytesMin: number): Promise<void> {
    while (this.held.length < bytesMin && !this.ended) {
      const more = await this.#next()
      if (!more) this.ended = true
      else this.held = this.held.length === 0 ? more : Buffer.concat([this.held, more])
    }
    if (this.ended && this.#member) this.#takeFindings(this.#member)
  }

  /** Removes up to `bytes` bytes from `held` and returns them. */
  take(bytes: number): Uint8Array {
    const part = this.held.subarray(0, bytes)
    this.held = this.held.subarray(part.length)
    this.takenBytes += part.length
    return part
  }

  /** Loads at least one more byte, from the following members if necessary. Returns false when there is none. */
  async more(beginsRecord: (bytes: Uint8Array) => boolean): Promise<boolean> {
    const before = this.held.length
    await this.load(before + 1)
    while (this.held.length === before && (await this.#goOn(beginsRecord))) await this.load(before + 1)
    return this.held.length > before
  }

  /** Continues an incomplete record with the next member, unless that begins with a record or cannot be unpacked. */
  async #goOn(beginsRecord: (bytes: Uint8Array) => boolean): Promise<boolean> {
    if (!this.#member?.whole) return false
    const offset = this.endOffset
    const bytes = await this.#members.window.view(offset, lookBytes)
    const next = bytes.length > 0 ? await this.#members.open(offset, bytes) : undefined
    if (!next) return false
    const content = await this.#members.contentBegin(offset)
    if (content === undefined || beginsRecord(content)) {
      next.close()
      return false
    }
    this.memberOffset = offset
    this.memberCount += 1
    this.#enter(next)
    return true
  }

  /** Returns the member that contains an unpacked byte. The byte must be in `held` or the last one taken. */
  memberAt(unpackedAt: number): MemberStart {
    const found = this.#starts.findLast(({ startBytes }) => startBytes <= unpackedAt)
    return found ?? { offset: this.offset, startBytes: 0, number: 1 }
  }

  /** Offset in the file after the bytes read. In a member it is valid once the flow has ended. */
  get endOffset(): number {
    return this.#member ? this.memberOffset + this.#member.length : this.offset + this.takenBytes
  }

  /** True when the members read so far are undamaged; always true for uncompressed bytes. */
  get whole(): boolean {
    return this.#member?.whole ?? true
  }

  /** True when the end of the last member is known, even if its checksum is wrong. */
  get complete(): boolean {
    return this.#member?.complete ?? true
  }

  /** Opens a flow with the same bytes again, from `takenBytes` on, which is a position in `member`. */
  async again(takenBytes: number, member: MemberStart): Promise<RecordFlow | undefined> {
    if (!this.packed) {
      const flow = new RecordFlow(this.#members, this.offset, undefined)
      flow.#plainAt += takenBytes
      flow.takenBytes = takenBytes
      return flow
    }
    const flow = await RecordFlow.open(this.#members, member.offset)
    if (typeof flow === 'string') return undefined
    flow.takenBytes = member.startBytes
    flow.memberCount = member.number
    flow.#starts = [member]
    while (flow.takenBytes < takenBytes) {
      await flow.load(1)
      if (flow.take(takenBytes - flow.takenBytes).length === 0) break
    }
    return flow
  }

  close(): void {
    this.#member?.close()
  }

  /** Continues the flow with a member; forgets the starts of members whose content was taken. */
  #enter(member: Member | undefined): void {
    this.#member?.close()
    this.#member = member
    const startBytes = this.takenBytes + this.held.length
    const { takenBytes } = this
    this.#starts = this.#starts.filter((_, index, all) => (all[index + 1]?.startBytes ?? startBytes) >= takenBytes)
    this.#starts.push({ offset: this.memberOffset, startBytes, number: this.memberCount })
    this.ended = false
    if (member?.content === undefined) return
    this.held = this.held.length === 0 ? member.content : Buffer.concat([this.held, member.content])
    this.ended = true
    this.#takeFindings(member)
  }

  /** Moves the findings of a member to those of the flow. */
  #takeFindings(member: Member): void {
    this.findings.push(...member.findings.splice(0))
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.#member) return this.#member.next()
    const bytes = await this.#members.window.view(this.#plainAt, 1)
    this.#plainAt += bytes.length
    return bytes.length === 0 ? undefined : bytes
  }
}
