/** A record while it is read: its header is known, and its block comes from the flow. */
import { finding, type Finding } from '../rules/finding.ts'
import { IntroducedRecord, type HeaderPlace, type Introduction } from './introducedRecord.ts'
import type { ArchiveRecord, FinishedRecord } from './record.ts'
import type { MemberStart, RecordFlow } from './recordFlow.ts'

/** Where a record was found. */
export interface Place extends HeaderPlace {
  addressable: boolean
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
export class RecordItem extends IntroducedRecord implements ArchiveRecord {
  readonly addressable: boolean
  readonly startBytes: number
  readonly startMember: MemberStart
  /** True when the file has all bytes of the block. */
  whole = true
  #reading: Reading
  #findings: Finding[]
  #remaining: number
  #finished: Promise<FinishedRecord> | undefined

  constructor(reading: Reading, introduction: Introduction, place: Place) {
    super(introduction, place)
    this.addressable = place.addressable
    this.startBytes = place.startBytes
    this.startMember = place.startMember
    this.#reading = reading
    this.#findings = introduction.findings
    this.#remaining = introduction.blockBytes
  }

  get heldBlock(): Uint8Array | undefined {
    const { held } = this.#reading.flow
    const isHeld = !this.begun && held.length >= this.#remaining && this.#reading.trustsLength()
    return isHeld ? held.subarray(0, this.#remaining) : undefined
  }

  async *block(): AsyncGenerator<Uint8Array> {
    this.begin()
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
    this.begun = true
    while (this.#remaining > 0) await this.#takeOfBlock()
    const { length, findings } = await this.#reading.readPastEnd(this)
    return { length, whole: this.whole, findings: this.placed([...this.#findings, ...findings]) }
  }
}
