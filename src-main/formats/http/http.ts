/** Parses HTTP/1.x messages tolerantly, as servers send them (RFC 9110, RFC 9112): heads, the framing of a response
 *  as it arrives, and the payload of an archived message. Bytes are neither changed nor stored here: the archive
 *  stores what was transferred. Connections and redirects are in crawl. */
import { percentEncodedBytes } from '../bytes/rawText.ts'
import { ChunkReader, dechunk } from './chunked.ts'
import { finding, type Finding } from '../rules/finding.ts'
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

const LF = 10
const CR = 13

/** Maximum number of findings for one head. A head of 256 KiB may have a hundred thousand invalid lines; the first
 *  ones are enough. */
const headFindingsMax = 100

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

export type Framing = 'none' | 'length' | 'chunked' | 'close'

/** Body of an archived message. `head` is undefined when the block is not a response. */
export interface Payload {
  head: HttpHead | undefined
  /** Body without transfer coding: the payload in the terms of WARC. */
  payload: Uint8Array
  /** Payload without content coding: the content of the page. */
  entity: Uint8Array
  findings: Finding[]
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

/** Why bytes are no usable response. */
export type ResponseFault = 'notHttp' | 'headTooLarge' | 'emptyAnswer'

/** Reads the framing of one response; made by `responseReader`. */
export interface ResponseReader {
  /** Takes the next bytes, and returns how many of them belong to this response; the rest is surplus. */
  push(chunk: Uint8Array): number
  /** Ends the response when the connection has ended. */
  end(): void
  readonly state: 'head' | 'body' | 'done' | 'broken'
  readonly head: HttpHead | undefined
  /** Bytes before the final head: interim responses (1xx) and stray empty lines. */
  readonly skippedBytes: number
  readonly framing: Framing
  /** True when another request may follow on this connection. */
  readonly reusable: boolean
  readonly fault: ResponseFault | undefined
  /** True when the response ended before its framing did. */
  readonly truncated: boolean
  readonly findings: Finding[]
}

/** Reads the framing of one response as it arrives. It holds only the head, never the body. */
export function responseReader(request: { method: string; headBytesMax: number }): ResponseReader {
  return new FramingReader(request)
}

class FramingReader implements ResponseReader {
  state: ResponseReader['state'] = 'head'
  head: HttpHead | undefined
  skippedBytes = 0
  framing: Framing = 'none'
  fault: ResponseFault | undefined
  truncated = false
  readonly findings: Finding[] = []
  #method: string
  #headBytesMax: number
  /** The incomplete head; its first `#heldBytes` are used. */
  #held: Uint8Array = new Uint8Array(0)
  #heldBytes = 0
  #remaining = 0
  #chunks: ChunkReader | undefined
  #persistent = false

  constructor(request: { method: string; headBytesMax: number }) {
    this.#method = request.method.toUpperCase()
    this.#headBytesMax = request.headBytesMax
  }

  get reusable(): boolean {
    return this.state === 'done' && this.#persistent
  }

  /** All bytes after a fault count as part of the response, because they cannot be interpreted. */
  push(chunk: Uint8Array): number {
    let used = 0
    while (used < chunk.length && this.state !== 'done') {
      const rest = used === 0 ? chunk : chunk.subarray(used)
      if (this.state === 'head') used += this.#pushHead(rest)
      else if (this.state === 'body') used += this.#pushBody(rest)
      else used = chunk.length
    }
    return used
  }

  end(): void {
    if (this.state === 'head') this.#endInHead()
    else if (this.state === 'body') this.#endInBody()
    this.#persistent = false
  }

  #pushHead(chunk: Uint8Array): number {
    const before = this.#heldBytes
    const bytes = this.#joined(chunk)
    // RFC 9112, 2.2: empty lines before the start line are skipped; they result from a wrong length of the previous
    // response.
    let start = 0
    while (before === 0 && (bytes[start] === CR || bytes[start] === LF)) start++
    if (start > 0) return this.#skipLineEnds(start)
    if (!couldBeHttp(bytes)) return this.#fail('notHttp', chunk.length)
    const end = headEnd(bytes, Math.max(0, before - headEndReachBytes))
    const length = end < 0 ? bytes.length : end
    if (this.skippedBytes + length > this.#headBytesMax) return this.#fail('headTooLarge', chunk.length)
    if (end < 0) {
      this.#hold(bytes)
      return chunk.length
    }
    this.#headComplete(bytes.subarray(0, end))
    return end - before
  }

  #joined(chunk: Uint8Array): Uint8Array {
    if (this.#heldBytes === 0) return chunk
    const length = this.#heldBytes + chunk.length
    if (length > this.#held.length) {
      const grown = new Uint8Array(length * 2)
      grown.set(this.#held.subarray(0, this.#heldBytes))
      this.#held = grown
    }
    this.#held.set(chunk, this.#heldBytes)
    return this.#held.subarray(0, length)
  }

  /** Keeps a copy, because the caller may reuse its buffer. */
  #hold(bytes: Uint8Array): void {
    if (this.#heldBytes === 0) this.#held = Uint8Array.from(bytes)
    this.#heldBytes = bytes.length
  }

  #skipLineEnds(count: number): number {
    if (!this.findings.some(({ rule }) => rule === 'httpEmptyLinesFirst'))
      this.findings.push(finding('httpEmptyLinesFirst', 0))
    this.skippedBytes += count
    return count
  }

  #headComplete(bytes: Uint8Array): void {
    this.#heldBytes = 0
    this.#held = new Uint8Array(0)
    const parsed = parseResponseHead(bytes)
    if (!parsed) {
      this.#fail('notHttp', 0)
      return
    }
    // RFC 9110, 15.2: any number of interim responses may precede the final one. 101 is final: another protocol
    // follows.
    const { status } = parsed.head
    if (status >= 100 && status < 200 && status !== 101) {
      this.skippedBytes += bytes.length
      return
    }
    this.findings.push(...parsed.findings)
    this.head = parsed.head
    this.#beginBody(parsed.head)
  }

  #beginBody(head: HttpHead): void {
    const rule = framingOf(this.#method, head, this.findings)
    this.framing = rule.framing
    this.#persistent = rule.persistent
    this.#remaining = rule.bodyBytes
    if (rule.framing === 'chunked') this.#chunks = new ChunkReader(() => undefined)
    this.state = rule.framing === 'none' || (rule.framing === 'length' && rule.bodyBytes === 0) ? 'done' : 'body'
  }

  #pushBody(chunk: Uint8Array): number {
    if (this.#chunks) {
      const used = this.#chunks.push(chunk)
      if (this.#chunks.state === 'done') this.#finish()
      return used
    }
    if (this.framing === 'close') return chunk.length
    const used = Math.min(chunk.length, this.#remaining)
    this.#remaining -= used
    if (this.#remaining === 0) this.#finish()
    return used
  }

  #finish(): void {
    this.state = 'done'
    if (this.#chunks) this.findings.push(...this.#chunks.findings)
  }

  #endInBody(): void {
    this.truncated = this.framing === 'length' || (this.framing === 'chunked' && this.#chunks?.state !== 'broken')
    if (this.truncated) this.findings.push(finding('httpBodyTruncated.connection'))
    this.#finish()
  }

  /** Ends a response within its head. A head that ends within its fields is still a response with a status; less
   *  than a status line is none. */
  #endInHead(): void {
    const held = this.#held.subarray(0, this.#heldBytes)
    if (held.includes(LF)) this.#headComplete(held)
    if (this.head) {
      this.truncated = true
      this.state = 'done'
    } else if (!this.fault) this.#fail('emptyAnswer', 0)
  }

  #fail(fault: ResponseFault, usedBytes: number): number {
    this.state = 'broken'
    this.fault = fault
    this.#heldBytes = 0
    this.#held = new Uint8Array(0)
    return usedBytes
  }
}

/** Returns true when these first bytes are, or may become, a status line. */
function couldBeHttp(bytes: Uint8Array): boolean {
  const start = latin1(bytes, 0, Math.min(5, bytes.length)).toUpperCase()
  return 'HTTP/'.startsWith(start) || 'ICY '.startsWith(start.slice(0, 4))
}

/** Number of CRs accepted before the LF of a line. Programs that write in text mode turn CR LF into CR CR LF, which
 *  curl and Python accept. */
const returnsMax = 2

/** How far before new bytes the search for the end of a head has to begin, because a blank line may have begun
 *  there. */
export const headEndReachBytes = returnsMax + 1

/** Returns the index after the first blank line at or after `from`, or -1. Lines end with CR LF, CR CR LF or a lone
 *  LF. */
export function headEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    let next = at + 1
    while (bytes[next] === CR && next - at <= returnsMax) next++
    if (bytes[next] === LF) return next + 1
  }
  return -1
}

/** Returns the end of the text in the line whose LF is at `lineFeedAt`. */
function lineTextEnd(bytes: Uint8Array, lineAt: number, lineFeedAt: number): number {
  let end = lineFeedAt
  while (end > lineAt && bytes[end - 1] === CR && lineFeedAt - end < returnsMax) end--
  return end
}

interface FramingRule {
  framing: Framing
  bodyBytes: number
  persistent: boolean
}

/** Determines the framing by the list of RFC 9112, 6.3, in its order. */
function framingOf(method: string, head: HttpHead, findings: Finding[]): FramingRule {
  const persistent = isPersistent(head)
  const { status } = head
  if (method === 'HEAD' || status === 204 || status === 304) return { framing: 'none', bodyBytes: 0, persistent }
  if (status === 101 || (method === 'CONNECT' && status >= 200 && status < 300))
    return { framing: 'none', bodyBytes: 0, persistent: false }
  const codings = listOf(head, 'transfer-encoding').filter((coding) => coding !== 'identity')
  const lengths = listOf(head, 'content-length')
  if (codings.length > 0) {
    if (lengths.length > 0) findings.push(finding('httpLengthAndTransferCoding'))
    if (codings.at(-1) === 'chunked') {
      // With Content-Length in addition, or with HTTP/1.0, an intermediary may frame the message differently, so the
      // connection is not reused.
      const sure = persistent && lengths.length === 0 && head.version === 'HTTP/1.1'
      return { framing: 'chunked', bodyBytes: 0, persistent: sure }
    }
    findings.push(finding('httpTransferCodingUnknown', { codings: codings.join(', ') }))
    return { framing: 'close', bodyBytes: 0, persistent: false }
  }
  const bodyBytes = lengthOf(lengths, findings)
  if (bodyBytes === undefined) return { framing: 'close', bodyBytes: 0, persistent: false }
  return { framing: 'length', bodyBytes, persistent }
}

/** Returns true when the connection stays open after the response (RFC 9112, 9.3). */
function isPersistent(head: HttpHead): boolean {
  const options = listOf(head, 'connection')
  if (options.includes('close')) return false
  return head.version === 'HTTP/1.1' || (head.version === 'HTTP/1.0' && options.includes('keep-alive'))
}

/** Returns the length of the body. Equal values count as one (RFC 9112, 6.3, item 5); otherwise the length is
 *  ignored and the end of the connection decides. */
export function lengthOf(lengths: string[], findings: Finding[]): number | undefined {
  const [first] = lengths
  if (first === undefined) return undefined
  const bytes = Number(first)
  if (lengths.some((other) => other !== first)) {
    findings.push(finding('httpLengthsDiffer', { lengths: lengths.join(', ') }))
    return undefined
  }
  if (!/^\d+$/.test(first) || !Number.isSafeInteger(bytes)) {
    findings.push(finding('httpLengthInvalid', { length: first.slice(0, 30) }))
    return undefined
  }
  if (lengths.length > 1) findings.push(finding('httpLengthRepeated'))
  return bytes
}

/** Returns text with one character per byte, unlike TextDecoder's latin1, which is windows-1252. */
function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}
