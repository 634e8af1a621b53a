/** A record of an archive file, independent of the format and of compression. Code that derives captures, findings
 *  or other files from it does not depend on the reader. */
import type { Finding } from '../rules/finding.ts'

/** A record while it is read. Its block is read with `block`, then `finish` is called. */
export interface ArchiveRecord {
  format: 'warc' | 'arc'
  /** The version as written, for example `WARC/1.0`; for ARC the version in the first record of the file, for
   *  example `ARC/1.1`. */
  version: string
  /** Position in the file, counted from 1. */
  number: number
  /** Offset in the file of the record itself, or of the gzip member or zstd frame around it. */
  offset: number
  /** False when the record does not begin at the start of its member, so that no index can point at it. */
  addressable: boolean
  /** WARC-Type in lower case, empty when missing. ARC has no types: the first record is `filedesc`, one that holds
   *  an HTTP response is a `response`, and any other is a `resource`. */
  type: string
  /** Fields of the header in their order. For ARC, the fields of the URL line under the names of its version: `URL`,
   *  `IP-address`, `Archive-date`, `Content-type`, `Archive-length` … */
  fields: [name: string, value: string][]
  /** Bytes of the header in the file, including its blank line (for ARC, its line end). It may be a view of a larger
   *  buffer: copy it to keep it. */
  header: Uint8Array
  /** WARC-Target-URI without the brackets that some writers add, or the URL of an ARC record. */
  url: string | undefined
  /** WARC-Date or Archive-date as written; `parseTimestamp` reads both. */
  date: string
  /** Content type of the block. An ARC record that holds an HTTP response has `application/http; msgtype=response`
   *  here. */
  contentType: string | undefined
  /** Length of the block as stated in the header, in bytes. */
  blockBytes: number
  /** The whole block when it is already in memory, so that small blocks need not be read as a stream; otherwise
   *  undefined. */
  readonly heldBlock: Uint8Array | undefined
  /** Yields the block; may be called once. Bytes that are not read are skipped by `finish`. */
  block(): AsyncIterable<Uint8Array>
  /** Reads to the end of the record. May be called more than once. */
  finish(): Promise<FinishedRecord>
}

/** What is known of a record at its end. */
export interface FinishedRecord {
  /** Length in the file in bytes; 0 when more records follow in the same member. */
  length: number
  /** True when the file has all bytes of the block. */
  whole: boolean
  findings: Finding[]
}

/** Returns the first field with this name, compared without regard to case. */
export function recordField({ fields }: Pick<ArchiveRecord, 'fields'>, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return fields.find(([field]) => field.length === wanted.length && field.toLowerCase() === wanted)?.[1]
}

/** Returns all fields with this name, in order. */
export function recordFields({ fields }: Pick<ArchiveRecord, 'fields'>, name: string): string[] {
  const wanted = name.toLowerCase()
  return fields
    .filter(([field]) => field.length === wanted.length && field.toLowerCase() === wanted)
    .map(([, value]) => value)
}
