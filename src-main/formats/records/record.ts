/** A record of an archive file as every reader gives it, whatever the file is: WARC or ARC, plain or packed. What follows
 *  from it (captures, findings, other files) is made above and never asks which reader gave it. */
import type { Finding } from '../rules/finding.ts'

export interface ArchiveRecord {
  format: 'warc' | 'arc'
  /** As written: `WARC/1.0`; of ARC the version of the file's first record: `ARC/1.1`. */
  version: string
  /** Which record of the file, from 1. */
  number: number
  /** Where it begins in the file: the record itself, or the gzip member or zstd frame around it. */
  offset: number
  /** False when it does not begin where a member begins: nothing can point at it. */
  addressable: boolean
  /** WARC-Type in lower case, empty when there is none. ARC has no types: its first record is `filedesc`, one that holds an
   *  HTTP answer is a `response`, any other a `resource`. */
  type: string
  /** Of the header in its order. ARC: the fields of its URL line, by the names of its version: `URL`, `IP-address`,
   *  `Archive-date`, `Content-type`, `Archive-length` … */
  fields: [name: string, value: string][]
  /** The header as it stands in the file, up to and with its blank line (of ARC: with its line end). It may be a view of
   *  what was read with it: copy it to keep it. */
  header: Uint8Array
  /** WARC-Target-URI without the brackets that some writers put around it, or the URL of an ARC record. */
  url: string | undefined
  /** WARC-Date or Archive-date as written; `parseTimestamp` reads both. */
  date: string
  /** Of the block. An ARC record that holds an HTTP answer has `application/http; msgtype=response` here. */
  contentType: string | undefined
  /** Length of the block as the header has it. */
  blockBytes: number
  /** The whole block, where it is in memory already: what is small need not be read as a stream. */
  readonly heldBlock: Uint8Array | undefined
  /** The block, once. What is not taken is skipped by `finish`. */
  block(): AsyncIterable<Uint8Array>
  /** Reads to the end of the record; may be called again. */
  finish(): Promise<FinishedRecord>
}

export interface FinishedRecord {
  /** Bytes in the file; 0 for a record whose gzip member goes on with another. */
  length: number
  /** All bytes of the block were there. */
  whole: boolean
  findings: Finding[]
}

/** The first field of this name. */
export function recordField({ fields }: Pick<ArchiveRecord, 'fields'>, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return fields.find(([field]) => field.length === wanted.length && field.toLowerCase() === wanted)?.[1]
}

/** All fields of this name. */
export function recordFields({ fields }: Pick<ArchiveRecord, 'fields'>, name: string): string[] {
  const wanted = name.toLowerCase()
  return fields
    .filter(([field]) => field.length === wanted.length && field.toLowerCase() === wanted)
    .map(([, value]) => value)
}
