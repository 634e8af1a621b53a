/** Parses HTTP/1.x messages tolerantly, as servers send them (RFC 9110, RFC 9112): heads and their fields,
 *  and the payload of an archived message. A response that is arriving is framed in responseReader.ts. Bytes are neither changed nor stored here: the archive
 *  stores what was transferred. Connections and redirects are in crawl. */
import { latin1, percentEncodedBytes } from '../bytes/rawText.ts'
import { type Finding, finding } from '../rules/finding.ts'
import { dechunk } from './chunked.ts'
import { decodeContent } from './contentCoding.ts'

export { dechunk, dechunked } from './chunked.ts'
export { decodeContent } from './contentCoding.ts'

/** Head of a response. */
export interface HttpHead {
  /** Version as sent: `HTTP/1.1`, or `ICY` of old audio servers. */
  version: string
  status: number
  reason: string
  fields: [name: string, value: string][]
  /** Length of the raw head in bytes, including its blank line. */
  bytes: number
}

/** Head of a request. `version` is empty when the request line has none. */
export interface RequestHead {
  method: string
  target: string
  version: string
  fields: [name: string, value: string][]
  bytes: number
}

/** Anything that has fields: the head of a request or of a response, or any other list of them. */
type Fields = { readonly fields: readonly (readonly [name: string, value: string])[] }

/** Returns the value of the first field with this name, compared without regard to case. */
export function fieldOf(head: Fields, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return head.fields.find(([field]) => field.length === wanted.length && field.toLowerCase() === wanted)?.[1]
}

/** Returns the values of all fields with this name, in order. */
export function fieldsOf(head: Fields, name: string): string[] {
  const wanted = name.toLowerCase()
  return head.fields
    .filter(([field]) => field.length === wanted.length && field.toLowerCase() === wanted)
    .map(([, value]) => value)
}

/** Returns the target of the Location field (RFC 9110, 10.2.2); undefined when it is missing or invalid. Its
 *  non-ASCII bytes have no known charset, so they are escaped byte by byte, as Chromium does. */
export function locationOf(head: Fields, base: string): URL | undefined {
  const location = fieldOf(head, 'location')
  return location === undefined ? undefined : (URL.parse(percentEncodedBytes(location), base) ?? undefined)
}

/** Returns the members of a list field over all its lines (RFC 9110, 5.6.1), in lower case, without empty ones. */
export function listOf(head: Fields, name: string): string[] {
  return fieldsOf(head, name)
    .flatMap((value) => value.split(','))
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '')
}

/** Parses a response's head. Returns undefined when the bytes do not begin with a status line. */
export function parseResponseHead(bytes: Uint8Array): { head: HttpHead; findings: Finding[] } | undefined {
  const findings: Finding[] = []
  const lines = headLines(bytes, findings)
  // RFC 9112, 4: the reason may be empty, the blank before it may not; many servers omit both. ICY is SHOUTcast. The
  // expression accepts only one blank before the reason, because a server may send a quarter of a million of them.
  const match = /^(HTTP\/\d+(?:\.\d+)?|ICY)[ \t]+(\d{3})(?:[ \t]([^\r]*)|)$/i.exec(lines.first)
  if (!match) return undefined
  const [, version = '', status = '', afterBlank] = match
  const reason = afterBlank?.trimStart()
  if (reason === undefined) findings.push(finding('httpReasonMissing'))
  if (!/^HTTP\/1\.[01]$/.test(version)) findings.push(finding('httpVersionOdd', { version }))
  const fields = parseFields(lines.rest, findings)
  return { head: { version, status: Number(status), reason: reason ?? '', fields, bytes: lines.bytes }, findings }
}

/** Parses a request's head. Returns undefined when the bytes do not begin with a request line. */
export function parseRequestHead(bytes: Uint8Array): { head: RequestHead; findings: Finding[] } | undefined {
  const findings: Finding[] = []
  const lines = headLines(bytes, findings)
  const { first } = lines
  const method = /^[\w!#$%&'*+.^`|~-]+(?=[ \t])/.exec(first)?.[0]
  if (method === undefined || first.includes('\r')) return undefined
  const rest = first.slice(method.length + 1)
  // ArchiveWeb.page writes requests as `GET /` without a version; only HTTP/0.9 had such lines.
  const versioned = /[ \t](HTTP\/\d+(?:\.\d+)?)$/i.exec(rest)
  const version = versioned?.[1] ?? ''
  const target = versioned ? rest.slice(0, versioned.index).trim() : rest.trimStart()
  if (version === '') findings.push(finding('httpVersionMissing'))
  return {
    head: { method, target, version, fields: parseFields(lines.rest, findings), bytes: lines.bytes },
    findings,
  }
}

export const LF = 10
export const CR = 13

/** Maximum number of findings for one head. A head of 256 KiB may have a hundred thousand invalid lines; the first
 *  ones are enough. */
const headFindingsMax = 100

/** Lines of a head without their ends, and the offset of each in the head. */
interface HeadLines {
  first: string
  rest: { text: string; offset: number }[]
  bytes: number
}

/** Splits a head into lines. A lone LF is accepted as a line end (RFC 9112, 2.2). Bytes above 127 are kept as
 *  Latin-1, one character per byte. */
function headLines(bytes: Uint8Array, findings: Finding[]): HeadLines {
  const lines: HeadLines['rest'] = []
  let bare = false
  let doubled = false
  let at = 0
  for (;;) {
    const end = bytes.indexOf(LF, at)
    if (end < 0) {
      if (at < bytes.length) lines.push({ text: latin1(bytes, at, bytes.length), offset: at })
      findings.push(finding('httpHeadTorn', bytes.length))
      at = bytes.length
      break
    }
    const offset = at
    const withoutReturn = lineTextEnd(bytes, offset, end)
    bare ||= withoutReturn === end
    doubled ||= end - withoutReturn > 1
    at = end + 1
    if (withoutReturn === offset) break
    lines.push({ text: latin1(bytes, offset, withoutReturn), offset })
  }
  if (bare) findings.push(finding('httpLineFeedsBare'))
  if (doubled) findings.push(finding('httpReturnsDoubled'))
  const [first, ...rest] = lines
  return { first: first?.text ?? '', rest, bytes: at }
}

/** Parses the lines after the first into fields. Invalid lines are reported and left out. */
function parseFields(lines: HeadLines['rest'], findings: Finding[]): [string, string][] {
  const fields: [string, string][] = []
  const report = (found: Finding): void => {
    if (findings.length < headFindingsMax) findings.push(found)
  }
  for (const { text, offset } of lines) {
    const last = fields.at(-1)
    if (/^[ \t]/.test(text) && last) {
      // RFC 9112, 5.2: obsolete folding; a user agent replaces it by blanks.
      const more = text.trim()
      if (more !== '') last[1] = last[1] === '' ? more : `${last[1]} ${more}`
      report(finding('httpFieldFolded', { field: last[0] }, offset))
      continue
    }
    const colon = text.indexOf(':')
    if (colon < 0) {
      report(finding('httpFieldWithoutColon', { line: text.slice(0, 60) }, offset))
      continue
    }
    const name = text.slice(0, colon)
    const trimmed = name.trim()
    // RFC 9112, 5.1, lets a proxy remove the blank; browsers reject the response or ignore the blank.
    if (trimmed !== name) report(finding('httpFieldNameBlank', { field: trimmed }, offset))
    if (trimmed === '') report(finding('httpFieldNameEmpty', offset))
    else fields.push([trimmed, text.slice(colon + 1).trim()])
  }
  return fields
}

/** Body of an archived message. `head` is undefined when the block is not a response. */
export interface Payload {
  head: HttpHead | undefined
  /** Body without transfer coding: the payload in the terms of WARC. */
  payload: Uint8Array
  /** Payload without content coding: the content of the page. */
  entity: Uint8Array
  findings: Finding[]
}

/** Returns the charset that a Content-Type field names, as written; undefined where it names none. */
export function charsetParameter(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
}

/** Returns the payload of an archived response, cut at `bytesMax`. A block without an HTTP message is its own
 *  payload. */
export function payloadOf(block: Uint8Array, bytesMax: number): Payload {
  const parsed = parseResponseHead(block)
  if (!parsed) return { head: undefined, payload: block, entity: block, findings: [] }
  const { head, findings } = parsed
  let payload = block.subarray(head.bytes)
  const transferCodings = listOf(head, 'transfer-encoding')
  if (transferCodings.at(-1) === 'chunked') {
    const body = dechunk(payload)
    payload = body.bytes
    findings.push(...body.findings)
    transferCodings.pop()
  }
  if (payload.length > bytesMax) payload = payload.subarray(0, bytesMax)
  const codings = [...listOf(head, 'content-encoding'), ...transferCodings]
  const decoded = decodeContent(payload, codings, bytesMax)
  findings.push(...decoded.findings)
  return { head, payload, entity: decoded.bytes, findings }
}

/** Number of CRs accepted before the LF of a line. Programs that write in text mode turn CR LF into CR CR LF, which
 *  curl and Python accept. */
const carriageReturnsMax = 2

/** How far before new bytes the search for the end of a head has to begin, because a blank line may have begun
 *  there. */
export const headEndReachBytes = carriageReturnsMax + 1

/** Returns the index after the first blank line at or after `from`, or -1. Lines end with CR LF, CR CR LF or a lone
 *  LF. */
export function headEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    let next = at + 1
    while (bytes[next] === CR && next - at <= carriageReturnsMax) next++
    if (bytes[next] === LF) return next + 1
  }
  return -1
}

/** Returns the end of the text in the line whose LF is at `lineFeedAt`. */
function lineTextEnd(bytes: Uint8Array, lineAt: number, lineFeedAt: number): number {
  let end = lineFeedAt
  while (end > lineAt && bytes[end - 1] === CR && lineFeedAt - end < carriageReturnsMax) end--
  return end
}
