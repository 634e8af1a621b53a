/** A record that is in memory as a whole: the only one of its gzip member or zstd frame, undamaged and with the line ends that
 *  the format requires. It is read without waiting. All others are in recordItem.ts. */
import { IntroducedRecord, type Introduction } from './introducedRecord.ts'
import type { ArchiveRecord, FinishedRecord } from './record.ts'

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
export class HeldRecord extends IntroducedRecord implements ArchiveRecord {
  readonly addressable = true
  /** What `finish` resolves to. */
  readonly finished: FinishedRecord
  readonly #block: Uint8Array

  constructor({ header, block, introduction }: HeldContent, { number, offset, length }: HeldPlace) {
    super(introduction, { number, offset, header })
    this.#block = block
    this.finished = { length, whole: true, findings: this.placed(introduction.findings) }
  }

  get heldBlock(): Uint8Array {
    return this.#block
  }

  async *block(): AsyncGenerator<Uint8Array> {
    this.begin()
    if (this.#block.length > 0) yield await Promise.resolve(this.#block)
  }

  finish(): Promise<FinishedRecord> {
    return Promise.resolve(this.finished)
  }
}
