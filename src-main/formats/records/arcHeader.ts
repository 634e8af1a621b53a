/** Parses the header of an ARC record: one line of fields separated by blanks (Internet Archive, "Arc File Format"
 *  1.0 of 1996; 1.1 adds XML metadata to the first record; 2.0 has ten fields). URLs that contain blanks or CRs are
 *  delimited from both ends of the line.
 *
 *     http://example.com/ 93.184.216.34 20080430204825 text/html 1299
 *     URL                 IP-address    Archive-date   Content-type Archive-length */
import { utf8Of } from '../bytes/rawText.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { recordUrl } from './recordUrl.ts'
import type { RecordHeader } from './warcHeader.ts'

/** Maximum length of a header line in bytes. Browsers and servers accept URLs of some thousand characters; harvests
 *  have contained tens of thousands. */
export const arcLineBytesMax = 64 * 1024

const CR = 13
const LF = 10

/** Names of the fields by version of the file, spelled as in the first record of such a file. */
const namesOne = ['URL', 'IP-address', 'Archive-date', 'Content-type', 'Archive-length']
/** Names in version 2.0. */
const namesTwo = [
  ...['URL', 'IP-address', 'Archive-date', 'Content-type', 'Result-code', 'Checksum', 'Location', 'Offset'],
  ...['Filename', 'Archive-length'],
]

/** A parsed header line. */
export interface ArcHeader extends RecordHeader {
  url: string
  date: string
  contentType: string
  /** Undefined when the field is not a valid length. */
  blockBytes: number | undefined
}

/** Returns true when `bytes` begin with a URL and at least four more words. Sufficient where a record is expected;
 *  `looksLikeArcRecord` is stricter. */
export function beginsArcRecord(bytes: Uint8Array): boolean {
  if (!isLetter(bytes[0])) return false
  const line = firstLine(bytes, lookBytes)
  return line.length === lookBytes && !line.endsWith('\n') ? longUrl.test(line) : expected.test(line)
}

/** Bytes of a line that are examined: nearly every header line is shorter. */
const lookBytes = 4096
/** Matches the beginning of a line that is longer than `lookBytes`. */
const longUrl = /^(?:https?|ftp|metadata|urn):[!-~\x80-\xff]{1000}/i

/** Returns true for an ASCII letter. Every URL begins with one, so most other lines are ruled out quickly. */
function isLetter(byte = 0): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
}

/** Matches a header line where a record is expected. Each part ends at the first character that it may not contain,
 *  so matching takes linear time. */
const expected = /^(?:filedesc:|[a-z][a-z0-9+.-]*:\S)(?:[^ \n]* ){4}/i

/** Returns true at the beginning of an ARC file. Most files begin with their version block, some with a record. */
export function beginsArcFile(bytes: Uint8Array): boolean {
  return /^filedesc:/i.test(firstLine(bytes, 16)) || looksLikeArcRecord(bytes)
}

/** Returns true when `bytes` certainly begin a record. For places where no record is expected, such as after damage. */
export function looksLikeArcRecord(bytes: Uint8Array): boolean {
  return isLetter(bytes[0]) && certain.test(firstLine(bytes, lookBytes))
}

/** Matches a header line with an IP address, a date of 14 digits and a length: no other text looks like that. */
const certain =
  /^[a-z][a-z0-9+.-]*:[^\n]{1,4000}? (?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+) \d{14} [^\n]{1,300}? ?\d{1,12}\r{0,2}\n/i

/** The first line in Latin-1, with its line end if it is within `bytesMax`. */
function firstLine(bytes: Uint8Array, bytesMax: number): string {
  const length = Math.min(bytes.length, bytesMax)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1')
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end + 1)
}

/** Parses a header line. `version` is the version of the file, for example `ARC/1.1`. Returns undefined when the
 *  line has fewer fields than any version requires. */
export function parseArcHeader(bytes: Uint8Array, version: string): ArcHeader | undefined {
  const findings: Finding[] = []
  const line = withoutLineEnd(bytes)
  if (line.length < bytes.length - 1) findings.push(finding('arcLineEndOdd'))
  const values = (version === 'ARC/2.0' && split(line, 6)) || split(line, 1) || fallback(line)
  if (!values) return undefined
  const names = values.length === namesTwo.length ? namesTwo : namesOne
  const url = urlOf(values[0] ?? '', findings)
  const [, , date = '', contentType = ''] = values.map(textOf)
  const length = values.at(-1) ?? ''
  const blockBytes = /^\d{1,15}$/.test(length) ? Number(length) : undefined
  if (blockBytes === undefined) findings.push(finding('arcLengthInvalid', { length: length.slice(0, 30) }))
  const fields = names.map((name, index): [string, string] => [name, textOf(values[index] ?? '')])
  return { version, fields, findings, url, date, contentType, blockBytes }
}

/** Returns the line without its line end, one character per byte. A copy of a file in text mode has more than one
 *  CR. */
function withoutLineEnd(bytes: Uint8Array): string {
  let end = bytes.at(-1) === LF ? bytes.length - 1 : bytes.length
  while (end > 0 && bytes[end - 1] === CR) end--
  return Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('latin1')
}

/** Decodes the URL, and reports what it should not contain. */
function urlOf(bytes: string, findings: Finding[]): string {
  const { url, isUtf8 } = recordUrl(bytes)
  if (/\s/.test(url)) findings.push(finding('arcUrlBlank', { url: url.slice(0, 100) }))
  if (/[\t\r]/.test(bytes)) findings.push(finding('arcUrlLineEnd', { url: url.slice(0, 100) }))
  if (!isUtf8) findings.push(finding('arcUrlNotUtf8', { url: url.slice(0, 100) }))
  return url
}

/** Returns the text of a field other than the URL: UTF-8 when it is valid, otherwise Latin-1. */
function textOf(bytes: string): string {
  return utf8Of(bytes) ?? bytes
}

/** Splits a line into its fields. URLs and content types may contain blanks; the address and the date are recognised
 *  by their form, and the fields after the content type are counted from the right. */
function split(line: string, wordsAfterType: number): string[] | undefined {
  const after: string[] = []
  let end = line.length
  while (after.length < wordsAfterType) {
    const blank = line.lastIndexOf(' ', end - 1)
    if (blank < 0 || blank >= end - 1) return undefined
    after.unshift(line.slice(blank + 1, end))
    end = blank
  }
  const before = upToType.exec(line.slice(0, end))
  return before ? [...before.slice(1), ...after] : undefined
}

/** Matches the URL, the IP address, the date and the content type, which takes the rest. */
const upToType = /^(\S.*?) (\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*|-) (\d{4,18}|-) (.*)$/is

/** Splits a line with neither a valid address nor a valid date: the last four words are the last four fields. */
function fallback(line: string): string[] | undefined {
  const words = line.split(' ')
  if (words.length < 5) return undefined
  return [words.slice(0, -4).join(' '), ...words.slice(-4)]
}

/** Returns the version of a file from the block of its first record, such as `1 0 InternetArchive`: the major
 *  version, the minor version and the producer. */
export function arcVersionOf(block: Uint8Array): string | undefined {
  const [, major, minor] = /^(\d+) (\d+)(?: [^\r\n]*)?\r?\n/.exec(firstLine(block, 512)) ?? []
  return major === undefined ? undefined : `ARC/${major}.${minor}`
}
