/** Parses the header of a WARC record: the version line and the fields (WARC 1.1, 4), as tolerantly as existing files
 *  require. The values of the fields are checked elsewhere (check).
 *
 *     WARC/1.1
 *     WARC-Type: response
 *     WARC-Record-ID: <urn:uuid:92283950-ef2f-4d72-b224-f54c6ec90bb0>
 *     WARC-Target-URI: http://example.com/
 *     WARC-Date: 2016-09-19T17:20:24Z
 *     Content-Type: application/http;msgtype=response
 *     Content-Length: 1299
 *
 *  A blank line ends it, and each line ends with CR LF. */
import { isAscii } from 'node:buffer'
import { utf8Of } from '../bytes/rawText.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { recordUrl } from './recordUrl.ts'

/** A parsed header, of WARC or ARC. */
export interface RecordHeader {
  version: string
  fields: [name: string, value: string][]
  findings: Finding[]
}

/** Maximum number of findings for one header. A header of a megabyte may have half a million invalid lines; the
 *  first ones are enough. */
const headerFindingsMax = 100

const CR = 13
const blank = 32
const tab = 9

/** Returns true when a record begins here. The grammar has capitals, but literals of RFC 5234 ignore case, so
 *  `warc/1.0` is valid too. */
export function beginsWarcRecord(bytes: Uint8Array): boolean {
  return (
    bytes.length >= 5 &&
    ((bytes[0] ?? 0) & 0xdf) === 0x57 &&
    ((bytes[1] ?? 0) & 0xdf) === 0x41 &&
    ((bytes[2] ?? 0) & 0xdf) === 0x52 &&
    ((bytes[3] ?? 0) & 0xdf) === 0x43 &&
    bytes[4] === 0x2f
  )
}

/** Returns true when `bytes` certainly begin a record, judged by their first 64 bytes. For places where no record is
 *  expected. */
export function looksLikeWarcRecord(bytes: Uint8Array): boolean {
  if (!beginsWarcRecord(bytes)) return false
  return /^WARC\/\d+\.\d+[ \t]*\r{0,2}\n(?:WARC-[a-z-]+|Content-[a-z-]+)[ \t]*:/i.test(
    latin1(bytes, 0, Math.min(64, bytes.length)),
  )
}

/** Parses a header with its blank line. Returns undefined when it contains the beginning of another record: then its
 *  own end and all of its block are missing. */
export function parseWarcHeader(bytes: Uint8Array): RecordHeader | undefined {
  const findings: Finding[] = []
  const text = latin1(bytes, 0, bytes.length)
  const firstEnd = text.indexOf('\n')
  const version = text.slice(0, firstEnd < 0 ? text.length : firstEnd).trimEnd()
  if (holdsVersionLine(text)) return undefined
  if (!/^WARC\/(0\.1[678]|1\.[01])$/i.test(version))
    findings.push(finding('versionUnknown', { version: version.slice(0, 20) }))
  const oddEnd = text.includes('\r\r\n') ? 'CR CR LF' : /(^|[^\r])\n/.test(text) ? 'LF' : undefined
  if (oddEnd !== undefined) findings.push(finding('headerLineEndOdd', { found: oddEnd }))
  const fields = parseFields(text, firstEnd < 0 ? text.length : firstEnd + 1, findings)
  return { version, fields: isAscii(bytes) ? fields : decoded(fields, findings), findings }
}

/** Returns true when a line after the first one is a version line. */
export function holdsVersionLine(text: string): boolean {
  return /\nWARC\/\d+\.\d+\r{0,2}\n/i.test(text)
}

/** Decodes names and values as UTF-8 (WARC 1.1, 4). Older writers stored the bytes of a URL unchanged. */
function decoded(fields: RecordHeader['fields'], findings: Finding[]): RecordHeader['fields'] {
  const odd: string[] = []
  const texts = fields.map(([name, value]): [string, string] => {
    const text = utf8Of(value)
    if (text === undefined) odd.push(name)
    return [utf8Of(name) ?? name, text ?? (isUrlField.test(name) ? recordUrl(value).url : value)]
  })
  if (odd.length > 0) findings.push(finding('headerNotUtf8', { fields: odd.slice(0, 3).join(', ') }))
  return texts
}

/** Fields with a URL, whose bytes are requested as they are. */
const isUrlField = /^(WARC-Target-URI|WARC-Refers-To-Target-URI)$/i

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}

/** Splits the lines after the first one into fields. */
function parseFields(text: string, from: number, findings: Finding[]): [string, string][] {
  const fields: [string, string][] = []
  for (let at = from; at < text.length;) {
    let end = text.indexOf('\n', at)
    if (end < 0) end = text.length
    let contentEnd = end
    while (contentEnd > at && text.charCodeAt(contentEnd - 1) === CR) contentEnd--
    if (contentEnd > at) parseLine(text.slice(at, contentEnd), fields, findings)
    at = end + 1
  }
  return fields
}

/** Adds the field of a line, or continues the previous one. */
function parseLine(line: string, fields: [string, string][], findings: Finding[]): void {
  const first = line.charCodeAt(0)
  const last = fields.at(-1)
  const isFolded = first === blank || first === tab
  const colon = line.indexOf(':')
  // WARC 1.1, 4: a line that begins with a blank continues the previous value.
  if (isFolded && last) last[1] = joined(last[1], line.trim())
  else if (colon > 0) fields.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])
  else if (findings.length < headerFindingsMax) findings.push(finding('fieldOdd', { line: line.slice(0, 60) }))
}

/** Joins the lines of a folded value. The whole value is never trimmed, because it may be folded a hundred thousand
 *  times. */
function joined(value: string, more: string): string {
  return value === '' || more === '' ? value + more : `${value} ${more}`
}
