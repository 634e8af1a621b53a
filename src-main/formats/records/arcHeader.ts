/** The header of an ARC record: one line of fields between blanks (Internet Archive, "Arc File Format" 1.0 of 1996; 1.1 adds
 *  XML metadata to the first record; 2.0 has ten fields). URLs with blanks or CRs in them are read from both ends. */
import { utf8Of } from '../bytes/rawText.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { recordUrl } from './recordUrl.ts'
import type { RecordHeader } from './warcHeader.ts'

/** Browsers and servers take some thousand characters; harvests have met tens of thousands. */
export const arcLineBytesMax = 64 * 1024

const CR = 13
const LF = 10

/** Fields of a line by the version of the file, as its own first record spells them. */
const namesOne = ['URL', 'IP-address', 'Archive-date', 'Content-type', 'Archive-length']
const namesTwo = [
  ...['URL', 'IP-address', 'Archive-date', 'Content-type', 'Result-code', 'Checksum', 'Location', 'Offset'],
  ...['Filename', 'Archive-length'],
]

export interface ArcHeader extends RecordHeader {
  url: string
  date: string
  contentType: string
  /** Undefined when it is no length. */
  blockBytes: number | undefined
}

/** A line with a URL and at least four more words: where a record is expected, that is one. */
export function beginsArcRecord(bytes: Uint8Array): boolean {
  if (!isLetter(bytes[0])) return false
  const line = firstLine(bytes, lookBytes)
  return line.length === lookBytes && !line.endsWith('\n') ? longUrl.test(line) : expected.test(line)
}

/** Nearly every line ends before. */
const lookBytes = 4096
/** How much of a line that continues beyond that. */
const longUrl = /^(?:https?|ftp|metadata|urn):[!-~\x80-\xff]{1000}/i

/** Every URL begins with one: most other lines are out at once. */
function isLetter(byte = 0): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
}

/** Each part ends at the first of what it may not hold, so no line takes longer than it is long. */
const expected = /^(?:filedesc:|[a-z][a-z0-9+.-]*:\S)(?:[^ \n]* ){4}/i

/** Most begin with their version block, some with a record. */
export function beginsArcFile(bytes: Uint8Array): boolean {
  return /^filedesc:/i.test(firstLine(bytes, 16)) || looksLikeArcRecord(bytes)
}

/** Surely one: for a place where nothing says that a record should be. */
export function looksLikeArcRecord(bytes: Uint8Array): boolean {
  return isLetter(bytes[0]) && certain.test(firstLine(bytes, lookBytes))
}

const certain =
  /^[a-z][a-z0-9+.-]*:[^\n]{1,4000}? (?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+) \d{14} [^\n]{1,300}? ?\d{1,12}\r{0,2}\n/i

function firstLine(bytes: Uint8Array, bytesMax: number): string {
  const length = Math.min(bytes.length, bytesMax)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1')
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end + 1)
}

/** `version`: of the file, `ARC/1.1` say. Undefined when the line has fewer fields than any version. */
export function parseArcHeader(bytes: Uint8Array, version: string): ArcHeader | undefined {
  const findings: Finding[] = []
  const line = withoutLineEnd(bytes)
  if (line.length < bytes.length - 1) findings.push(finding('arcLineEndOdd', 'The line ends with CR LF instead of LF.'))
  const values = (version === 'ARC/2.0' && split(line, 6)) || split(line, 1) || fallback(line)
  if (!values) return undefined
  const names = values.length === namesTwo.length ? namesTwo : namesOne
  const url = urlOf(values[0] ?? '', findings)
  const [, , date = '', contentType = ''] = values.map(textOf)
  const length = values.at(-1) ?? ''
  const blockBytes = /^\d{1,15}$/.test(length) ? Number(length) : undefined
  if (blockBytes === undefined)
    findings.push(finding('arcLengthInvalid', `The length of the record is "${length.slice(0, 30)}".`))
  const fields = names.map((name, index): [string, string] => [name, textOf(values[index] ?? '')])
  return { version, fields, findings, url, date, contentType, blockBytes }
}

/** One character per byte. A copy of the file in text mode has more than one CR. */
function withoutLineEnd(bytes: Uint8Array): string {
  let end = bytes.at(-1) === LF ? bytes.length - 1 : bytes.length
  while (end > 0 && bytes[end - 1] === CR) end--
  return Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('latin1')
}

function urlOf(bytes: string, findings: Finding[]): string {
  const { url, isUtf8 } = recordUrl(bytes)
  if (/\s/.test(url)) findings.push(finding('arcUrlBlank', `The URL has blanks in it: ${url.slice(0, 100)}`))
  if (/[\t\r]/.test(bytes))
    findings.push(finding('arcUrlLineEnd', `The URL has a CR or a tab in it, which is left out: ${url.slice(0, 100)}`))
  if (!isUtf8)
    findings.push(finding('arcUrlNotUtf8', `The URL has bytes that are not UTF-8. It is read as ${url.slice(0, 100)}`))
  return url
}

/** Of a field that is no URL: UTF-8 where it is that. */
function textOf(bytes: string): string {
  return utf8Of(bytes) ?? bytes
}

/** Blanks stand in URLs and in content types; an address and a date do not look like anything else, and what follows the
 *  content type is counted from the right. */
function split(line: string, wordsBehindType: number): string[] | undefined {
  const behind: string[] = []
  let end = line.length
  while (behind.length < wordsBehindType) {
    const blank = line.lastIndexOf(' ', end - 1)
    if (blank < 0 || blank >= end - 1) return undefined
    behind.unshift(line.slice(blank + 1, end))
    end = blank
  }
  const before = upToType.exec(line.slice(0, end))
  return before ? [...before.slice(1), ...behind] : undefined
}

const upToType = /^(\S.*?) (\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*|-) (\d{4,18}|-) (.*)$/is

/** When neither address nor date is one: the last four words are the last four fields. */
function fallback(line: string): string[] | undefined {
  const words = line.split(' ')
  if (words.length < 5) return undefined
  return [words.slice(0, -4).join(' '), ...words.slice(-4)]
}

/** What the first record says of the file: `1 0 InternetArchive`, the major and the minor version, and who wrote it. */
export function arcVersionOf(block: Uint8Array): string | undefined {
  const [, major, minor] = /^(\d+) (\d+)(?: [^\r\n]*)?\r?\n/.exec(firstLine(block, 512)) ?? []
  return major === undefined ? undefined : `ARC/${major}.${minor}`
}
