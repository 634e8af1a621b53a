/** A record while it is read: its header is known, and its block comes from the flow. */
import { finding, type Finding } from '../rules/finding.ts'
import type { ArchiveRecord, FinishedRecord } from './record.ts'
import type { MemberStart, RecordFlow } from './recordFlow.ts'

/** Content of a header, independent of the format. */
export interface Introduction {
  format: ArchiveRecord['format']
  version: string
  type: string
  fields: [name: string, value: string][]
  url: string | undefined
  date: string
  contentType: string | undefined
  blockBytes: number
  findings: Finding[]
}

/** Where a record was found. */
export interface Place {
  number: number
  /** Offset of the record, or of the member around it. */
  offset: number
  addressable: boolean
  header: Uint8Array
  /** Unpacked bytes of the flow before the record. */
  startBytes: number
  /** The member in which the record begins. */
  startMember: MemberStart
}

/** Result of reading past the end of a block: the length of the record in the file, and the findings there. */
export interface EndOfRecord {
  length: number
  findings: Finding[]
}

/** Functions of the reader that a record needs. */
export interface Reading {
  flow: RecordFlow
  beginsRecord(bytes: Uint8Array): boolean
  /** False once so many lengths were wrong that `bytesOfBlock` is used instead. */
  trustsLength(): boolean
  /** Returns how many of the bytes that the flow holds next may belong to the block. */
  bytesOfBlock(): Promise<number>
  /** Reads past the end of the block. */
  readPastEnd(item: RecordItem): Promise<EndOfRecord>
}

/** A record while it is read. `#remaining` is how much of the block has not been taken from the flow; the flow may
 *  not be used for anything else until `finish` has resolved. */
export class RecordItem implements ArchiveRecord {
  readonly format: ArchiveRecord['format']
  readonly version: string
  readonly type: string
  readonly fields: [string, string][]
  readonly url: string | undefined
  readonly date: string
  readonly contentType: string | undefined
  readonly blockBytes: number
  readonly number: number
  readonly offset: number
  readonly addressable: boolean
  readonly header: Uint8Array
  readonly startBytes: number
  readonly startMember: MemberStart
  /** True when the file has all bytes of the block. */
  whole = true
  #reading: Reading
  #findings: Finding[]
  #remaining: number
  #begun = false
  #finished: Promise<FinishedRecord> | undefined

  constructor(reading: Reading, introduction: Introduction, place: Place) {
    this.format = introduction.format
    this.version = introduction.version
    this.type = introduction.type
    this.fields = introduction.fields
    this.url = introduction.url
    this.date = introduction.date
    this.contentType = introduction.contentType
    this.blockBytes = introduction.blockBytes
    this.number = place.number
    this.offset = place.offset
    this.addressable = place.addressable
    this.header = place.header
    this.startBytes = place.startBytes
    this.startMember = place.startMember
    this.#reading = reading
    this.#findings = introduction.findings
    this.#remaining = introduction.blockBytes
  }

  get heldBlock(): Uint8Array | undefined {
    const { held } = this.#reading.flow
    const isHeld = !this.#begun && held.length >= this.#remaining && this.#reading.trustsLength()
    return isHeld ? held.subarray(0, this.#remaining) : undefined
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

  /** Takes the next bytes of the block; undefined when the file has no more of them. */
  async #takeOfBlock(): Promise<Uint8Array | undefined> {
    const { flow, beginsRecord, trustsLength, bytesOfBlock } = this.#reading
    if (flow.held.length === 0) await flow.more(beginsRecord)
    const bytes = flow.take(trustsLength() ? this.#remaining : Math.min(this.#remaining, await bytesOfBlock()))
    this.#remaining -= bytes.length
    if (bytes.length > 0) return bytes
    this.whole = false
    this.#findings.push(finding('recordTorn', { bytes: this.#remaining }))
    this.#remaining = 0
    return undefined
  }

  async #readToEnd(): Promise<FinishedRecord> {
    this.#begun = true
    while (this.#remaining > 0) await this.#takeOfBlock()
    const { length, findings } = await this.#reading.readPastEnd(this)
    const all = [...this.#findings, ...findings]
    const placed = all.map((found) => ({ ...found, offset: this.offset, record: this.number }))
    return { length, whole: this.whole, findings: placed }
  }
}
