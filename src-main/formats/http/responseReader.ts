/** Reads the framing of one response while it arrives: where its head and its body end, and whether the connection can be
 *  used again (RFC 9112, 6.3 and 9.3). Heads are parsed in http.ts. */
import { latin1 } from '../bytes/rawText.ts'
import { type Finding, finding } from '../rules/finding.ts'
import { ChunkReader } from './chunked.ts'
import { type HttpHead, CR, LF, headEnd, headEndReachBytes, parseResponseHead, listOf } from './http.ts'

/** What ends the body: nothing (there is none), its length, its last chunk, or the end of the connection. */
export type Framing = 'none' | 'length' | 'chunked' | 'close'

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

/** The states are `head`, `body` and `done`; `broken` follows a fault. `#held` is used only in `head`. */
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

  /** Returns the held bytes followed by the chunk. The buffer doubles, so that a head in tiny pieces is copied only a few times. */
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

  /** Ends a response within its head. A head that ends within its fields is still a response with a status, unlike
   *  an incomplete status line. */
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

/** How a body is framed. `bodyBytes` counts only with `length`. */
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
