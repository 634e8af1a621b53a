/** The unpacked bytes of a file from one place on: of a plain stretch, or of a member and those that it goes on in. It knows
 *  nothing of records but how one begins, because a member that begins with one never belongs to the record before. */
import type { Finding } from '../rules/finding.ts'
import type { Member } from '../packing/member.ts'
import type { Members } from '../packing/members.ts'

/** What is loaded at least before looking for a header: nearly always holds all of it. */
const lookBytes = 64 * 1024

/** Where a member's content begins. */
export interface MemberStart {
  /** In the file. */
  offset: number
  /** Unpacked bytes of the flow before it. */
  startBytes: number
  /** Which of the flow's members it is, from 1. */
  number: number
}

export class RecordFlow {
  /** In the file. */
  readonly offset: number
  readonly packed: boolean
  /** Loaded and not taken. */
  held: Uint8Array = new Uint8Array(0)
  /** Nothing comes after what is held. */
  ended = false
  /** Unpacked bytes taken so far. */
  takenBytes = 0
  /** More than one: a record that is spread over members. */
  memberCount = 1
  readonly findings: Finding[] = []
  /** Members that have content in `held`, and the last one. */
  #starts: MemberStart[] = []
  #members: Members
  #member: Member | undefined
  /** Of the last member, in the file. */
  memberOffset: number
  /** Of a plain stretch: where the next bytes are loaded from. */
  #plainAt: number

  private constructor(members: Members, offset: number, member: Member | undefined) {
    this.offset = offset
    this.packed = member !== undefined
    this.#members = members
    this.memberOffset = offset
    this.#plainAt = offset
    this.#enter(member)
  }

  /** `end`: the file ends there. `noMember`: the bytes begin like a member, and are none. */
  static async open(members: Members, offset: number): Promise<RecordFlow | 'end' | 'noMember'> {
    const bytes = await members.window.view(offset, lookBytes)
    if (bytes.length === 0) return 'end'
    if (!members.begins(bytes)) return new RecordFlow(members, offset, undefined)
    const member = await members.open(offset, bytes)
    return member ? new RecordFlow(members, offset, member) : 'noMember'
  }

  /** Bytes as they are, whatever they begin with. */
  static plain(members: Members, offset: number): RecordFlow {
    return new RecordFlow(members, offset, undefined)
  }

  /** At least `bytesMin` are held afterwards, fewer only when the flow ends. */
  async load(bytesMin: number): Promise<void> {
    while (this.held.length < bytesMin && !this.ended) {
      const more = await this.#next()
      if (!more) this.ended = true
      else this.held = this.held.length === 0 ? more : Buffer.concat([this.held, more])
    }
    if (this.ended && this.#member) this.#takeFindings(this.#member)
  }

  take(bytes: number): Uint8Array {
    const part = this.held.subarray(0, bytes)
    this.held = this.held.subarray(part.length)
    this.takenBytes += part.length
    return part
  }

  /** At least one byte more is held afterwards, of the members after this one too; false where there is none. */
  async more(beginsRecord: (bytes: Uint8Array) => boolean): Promise<boolean> {
    const before = this.held.length
    await this.load(before + 1)
    while (this.held.length === before && (await this.#goOn(beginsRecord))) await this.load(before + 1)
    return this.held.length > before
  }

  /** A record is not complete: goes on in the member after this one, unless that begins a record or is none. */
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

  /** The member that an unpacked byte lies in, which is held or the last one taken. */
  memberAt(unpackedAt: number): MemberStart {
    const found = this.#starts.findLast(({ startBytes }) => startBytes <= unpackedAt)
    return found ?? { offset: this.offset, startBytes: 0, number: 1 }
  }

  /** In the file, after what was read; of a member, once the flow has ended. */
  get endOffset(): number {
    return this.#member ? this.memberOffset + this.#member.length : this.offset + this.takenBytes
  }

  /** Of what was read of the members; a plain stretch is always whole. */
  get whole(): boolean {
    return this.#member?.whole ?? true
  }

  /** Where the last member ends is known, though its checksum may be wrong. */
  get complete(): boolean {
    return this.#member?.complete ?? true
  }

  /** The same bytes once more, from `takenBytes` on, which lie in this member. */
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
