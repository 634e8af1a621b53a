/** A record that is in memory as a whole: the only one of its gzip member or zstd frame, undamaged and with the line ends that
 *  the format requires. It is read without waiting. All others are in recordItem.ts. */
import type { ArchiveRecord, FinishedRecord } from './record.ts'
import type { Introduction } from './recordItem.ts'

/** The parts of a record in memory. */
export interface HeldContent {
  header: Uint8Array
  block: Uint8Array
  introduction: Introduction
}

/** Where a record was found: its number, and the offset and length of its member. */
export interface HeldPlace {
  number: number
  offset: number
  length: number
}

/** A record whose block is in memory. */
export class HeldRecord implements ArchiveRecord {
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
  readonly addressable = true
  readonly header: Uint8Array
  /** What `finish` resolves to. */
  readonly finished: FinishedRecord
  readonly #block: Uint8Array
  #begun = false

  constructor({ header, block, introduction }: HeldContent, { number, offset, length }: HeldPlace) {
    this.format = introduction.format
    this.version = introduction.version
    this.type = introduction.type
    this.fields = introduction.fields
    this.url = introduction.url
    this.date = introduction.date
    this.contentType = introduction.contentType
    this.blockBytes = introduction.blockBytes
    this.number = number
    this.offset = offset
    this.header = header
    this.#block = block
    const findings = introduction.findings.map((found) => ({ ...found, offset, record: number }))
    this.finished = { length, whole: true, findings }
  }

  get heldBlock(): Uint8Array {
    return this.#block
  }

  async *block(): AsyncGenerator<Uint8Array> {
    if (this.#begun) throw new Error(`the block of the record at ${this.offset} was read before`)
    this.#begun = true
    if (this.#block.length > 0) yield await Promise.resolve(this.#block)
  }

  finish(): Promise<FinishedRecord> {
    return Promise.resolve(this.finished)
  }
}
