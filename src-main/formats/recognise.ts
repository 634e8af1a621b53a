/** Detects the format of a file by its first bytes, not by its name. Files are read in records/, wacz/ and har/. */
import { message, type Message } from '../contract/words/message.ts'
import type { ByteSource } from './bytes/fileWindow.ts'
import { gzipContentBegin, isGzip } from './packing/gzipMembers.ts'
import { emptyMemberLength } from './packing/members.ts'
import { isDictionaryFrame, isZstd, zstdContentBegin } from './packing/zstdFrames.ts'
import { beginsArcFile } from './records/arcHeader.ts'
import { beginsWarcRecord } from './records/warcHeader.ts'

/** Number of bytes examined, after members without content. */
const recogniseBytes = 64 * 1024

/** What a file contains. `zip` may be a WACZ, which its entries show; `damaged`: nothing can be unpacked. */
export type FileForm = 'warc' | 'arc' | 'zip' | 'har' | 'empty' | OtherForm | 'text' | 'damaged' | 'unknown'
/** Formats that are often stored next to archive files. */
type OtherForm =
  | 'bzip2'
  | 'xz'
  | 'lz4'
  | '7z'
  | 'tar'
  | 'pdf'
  | 'png'
  | 'jpeg'
  | 'sqlite'
  | 'cdx'
  | 'cdxj'
  | 'json'
  | 'html'
/** Compression of the file as a whole, or of its records. */
export type FilePacking = 'plain' | 'gzip' | 'zstd'

/** The detected format of a file. */
export interface Recognised {
  form: FileForm
  packing: FilePacking
  /** Whether the file begins with a Zstandard dictionary. */
  hasDictionary: boolean
}

/** Names the format for users, as in `WARC, gzip` or `PNG image`. */
export function formatMessage({ form, packing, hasDictionary }: Recognised): Message {
  const format = message(`format.${form}`)
  if (hasDictionary) return message('format.withDictionary', { format, packing })
  return packing === 'plain' ? format : message('format.packed', { format, packing })
}

/** Whether it is none of the formats that Loupe reads, and may be an archive file whose beginning is damaged. */
export function mayBeDamagedArchive({ form }: Recognised): boolean {
  return form !== 'warc' && form !== 'arc' && form !== 'zip' && form !== 'har' && form !== 'empty'
}

/** Detects the format. Any number of members and frames without content is skipped: old files of Webrecorder begin
 *  with one. */
export async function recognise(source: ByteSource): Promise<Recognised> {
  const buffer = new Uint8Array(recogniseBytes)
  const one = new Uint8Array(1)
  let skipped: FilePacking = 'plain'
  for (let position = 0; ;) {
    const bytes = buffer.subarray(0, await source.read(buffer, position))
    const emptyBytes = emptyMembersLength(bytes)
    const isTorn = emptyBytes > bytes.length && (await source.read(one, position + emptyBytes - 1)) === 0
    if (emptyBytes === 0 || isTorn) return recognised(bytes, skipped)
    skipped = isGzip(bytes) ? 'gzip' : 'zstd'
    position += emptyBytes
  }
}

/** Returns the number of bytes at the beginning that are members without content; the last of them may extend beyond
 *  `bytes`. */
function emptyMembersLength(bytes: Uint8Array): number {
  // A dictionary is followed only by WARC records (IIPC, "Zstandard Compression for WARC Files"), so nothing has to be
  // skipped.
  if (isDictionaryFrame(bytes)) return 0
  let at = 0
  while (at < bytes.length) {
    const length = emptyMemberLength(bytes.subarray(at))
    if (length === undefined) break
    at += length
  }
  return at
}

/** Detects the format of the first bytes with content. `skipped` is the packing of the members before them. */
function recognised(bytes: Uint8Array, skipped: FilePacking): Recognised {
  if (isGzip(bytes)) return packed(gzipContentBegin(bytes), 'gzip')
  if (isDictionaryFrame(bytes)) return { form: 'warc', packing: 'zstd', hasDictionary: true }
  if (isZstd(bytes)) return packed(zstdContentBegin(bytes, undefined), 'zstd')
  const form = contentForm(bytes)
  return { form, packing: form === 'empty' ? skipped : 'plain', hasDictionary: false }
}

/** Detects the format of a member by its content. A member without any is damaged or torn, because complete empty
 *  members were skipped. */
function packed(content: Uint8Array | undefined, packing: 'gzip' | 'zstd'): Recognised {
  return { form: content?.length ? contentForm(content) : 'damaged', packing, hasDictionary: false }
}

/** Detects the format of unpacked bytes, by their first few kilobytes. */
function contentForm(bytes: Uint8Array): FileForm {
  if (bytes.length === 0) return 'empty'
  // Some files have blank lines before the first record.
  const blank = bytes.findIndex((byte) => byte !== 10 && byte !== 13)
  const content = blank > 0 ? bytes.subarray(blank) : bytes
  if (beginsWarcRecord(content)) return 'warc'
  if (beginsArcFile(content)) return 'arc'
  const text = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  if (/^(?:\xef\xbb\xbf)?\s*\{\s*"log"\s*:\s*\{/.test(text)) return 'har'
  const known = beginnings.find(([beginning]) => beginning.test(text))
  return known?.[1] ?? (isText(text) ? 'text' : 'unknown')
}

/* oxlint-disable no-control-regex -- these are bytes */
const beginnings: [beginning: RegExp, form: 'zip' | OtherForm][] = [
  [/^PK(\x03\x04|\x05\x06)/, 'zip'],
  [/^BZh[1-9]/, 'bzip2'],
  [/^\xfd7zXZ\x00/, 'xz'],
  [/^\x04"M\x18/, 'lz4'],
  [/^7z\xbc\xaf/, '7z'],
  [/^.{257}ustar/s, 'tar'],
  [/^%PDF-/, 'pdf'],
  [/^\x89PNG/, 'png'],
  [/^\xff\xd8\xff/, 'jpeg'],
  [/^SQLite format 3\x00/, 'sqlite'],
  [/^\s*CDX [A-Za-z]( [A-Za-z])+\r?\n/, 'cdx'],
  [/^\S+ \d{14,17} \{/, 'cdxj'],
  [/^\s*[[{]/, 'json'],
  [/^\s*<(!doctype )?html/i, 'html'],
]
/* oxlint-enable no-control-regex */

/** Whether the text has no control characters but tab, line ends and escape. */
function isText(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text)
}
