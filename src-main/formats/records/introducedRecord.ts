/** What a record has from its header and its place, whether its block is in memory (heldRecord.ts) or not (recordItem.ts). */
import type { Finding } from '../rules/finding.ts'
import type { ArchiveRecord } from './record.ts'

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

/** Where a header was found, and its bytes. */
export interface HeaderPlace {
  number: number
  /** Offset of the record, or of the member around it. */
  offset: number
  header: Uint8Array
}

/** The beginning of a record. */
export class IntroducedRecord {
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
  readonly header: Uint8Array
  /** Whether reading the block has begun. */
  protected begun = false

  constructor(introduction: Introduction, { number, offset, header }: HeaderPlace) {
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
  }

  /** Notes that reading the block begins. Throws when it was read before: a bug of the caller. */
  protected begin(): void {
    if (this.begun) throw new Error(`the block of the record at ${this.offset} was read before`)
    this.begun = true
  }

  /** Adds the place of the record to findings about it. */
  protected placed(findings: readonly Finding[]): Finding[] {
    return findings.map((found) => ({ ...found, offset: this.offset, record: this.number }))
  }
}
