/** Captures as a table (RFC 4180, UTF-8, one header row), for a spreadsheet or a script: a row for each chosen
 *  capture, with the place of its record. Cells come from untrusted servers, and a spreadsheet evaluates cells
 *  that begin with `=`, `+`, `-` or `@`: such a cell gets an apostrophe in front. No URL and no media type begins
 *  with one of them, so valid values are never changed. */

import { BlockDigests, isHttpRecord } from '../../formats/records/blockDigests.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { fieldOf } from '../../formats/http/http.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import type { ExportedDuplicate } from './duplicates.ts'
import type { SourceFile } from './export.ts'

const columns = ['url', 'timestamp', 'status', 'media type', 'digest', 'bytes', 'file', 'offset', 'job']

/** The header row with its line end. */
export const csvHeader = csvRow(columns)

/** Reads the record to its end; undefined when it is torn. `bytes` are those of the record in its file, compressed as they are. */
export async function captureRow(record: ArchiveRecord, file: SourceFile): Promise<string | undefined> {
  const { status, mediaType, digest } = await answerIn(record)
  const { length, whole } = await record.finish()
  if (!whole) return undefined
  const timeMs = parseTimestamp(record.date)
  const time = timeMs === undefined ? '' : new Date(timeMs).toISOString()
  return csvRow([record.url ?? '', time, status, mediaType, digest, length, file.name, record.offset, file.job ?? ''])
}

/**
 * Formats a capture without a record from its line in the crawl log, with the place of the record that has its content. Its length in bytes
 * is unknown.
 */
export function duplicateRow({
  url,
  timestampMs,
  status,
  mediaType,
  payloadDigest,
  job,
  original,
}: ExportedDuplicate): string {
  const time = new Date(timestampMs).toISOString()
  const { filename, offset } = original
  return csvRow([url, time, status ?? '', mediaType, payloadDigest, '', filename, offset, job ?? ''])
}

/** Reads the block of a record for the columns that are not in its header. */
async function answerIn(record: ArchiveRecord): Promise<{ status: number | ''; mediaType: string; digest: string }> {
  const digests = new BlockDigests(record)
  for await (const bytes of record.block()) digests.update(bytes)
  const digest = digests.end().payloadDigest
  const { head } = digests
  if (!isHttpRecord(record)) return { status: '', mediaType: essence(record.contentType), digest }
  if (!head || !('status' in head)) return { status: '', mediaType: '', digest }
  return { status: head.status, mediaType: essence(fieldOf(head, 'content-type')), digest }
}

/** Returns a media type without parameters. */
function essence(contentType: string | undefined): string {
  return (contentType ?? '').trim().split(/[;\s,]/, 1)[0] ?? ''
}

/** Formats a row with its line end. */
export function csvRow(cells: readonly (string | number)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** Formats a cell, quoted where it needs to be. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Counts the rows of a table that comes in parts, including the header row: line ends between quotes do not end a row. */
export class RowCounter {
  rows = 0
  #quoted = false

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === quote) this.#quoted = !this.#quoted
      else if (byte === lineFeed && !this.#quoted) this.rows += 1
    }
  }
}

const quote = 0x22
const lineFeed = 0x0a
