/** Decodes the chunked transfer coding (RFC 9112, 7.1) as bytes arrive. It holds only the current line, never body
 *  bytes. Bytes that cannot be a chunk are body until the end: servers often declare `chunked` for a body that is
 *  not.
 *
 *     4;name=value CRLF    size in hexadecimal, and extensions, which are ignored
 *     Wiki CRLF            data
 *     0 CRLF               last chunk
 *     Field: value CRLF    trailer fields, possibly none
 *     CRLF                 end */
import { finding, type Finding } from '../rules/finding.ts'

/** Maximum length of a size line or a trailer line; longer ones are invalid. Real chunk extensions have some hundred
 *  bytes. */
const lineBytesMax = 8192
/** Maximum length of all trailer lines together. */
const trailerBytesMax = 65_536

/** What the next byte belongs to. `broken`: the rest is body as it is. */
export type ChunkState = 'size' | 'data' | 'dataEnd' | 'trailer' | 'done' | 'broken'

const LF = 10
const CR = 13

/** Decodes one body: feed it with `push`, then call `end`. */
export class ChunkReader {
  state: ChunkState = 'size'
  readonly findings: Finding[] = []
  #onData: (bytes: Uint8Array) => void
  /** Bytes of the current line, kept because they are body when the line turns out to be invalid. */
  #line: number[] = []
  #remaining = 0
  #trailerBytes = 0
  #position = 0
  #chunks = 0

  constructor(onData: (bytes: Uint8Array) => void) {
    this.#onData = onData
  }

  /** Decodes bytes, and returns how many of them belong to the coded body: fewer than all only after its end. */
  push(bytes: Uint8Array): number {
    let at = 0
    while (at < bytes.length && this.state !== 'done') {
      if (this.state === 'data') at += this.#data(bytes.subarray(at))
      else if (this.state === 'broken') {
        this.#onData(bytes.subarray(at))
        at = bytes.length
      } else this.#byte(bytes[at++] ?? 0)
    }
    this.#position += at
    return at
  }

  /** Ends the body. A held, incomplete size line is framing rather than body, unless it cannot be a size line: then
   *  it is a short body of one line whose chunk framing was removed. */
  end(): void {
    if (this.state === 'done' || this.state === 'broken') return
    if (this.#chunks === 0 && this.#line.length > 0 && !couldBeSize(this.#line)) return this.#break()
    this.findings.push(finding('chunksTorn', this.#position))
  }

  #data(bytes: Uint8Array): number {
    const length = Math.min(bytes.length, this.#remaining)
    this.#onData(length === bytes.length ? bytes : bytes.subarray(0, length))
    this.#remaining -= length
    if (this.#remaining === 0) this.state = 'dataEnd'
    return length
  }

  #byte(byte: number): void {
    this.#line.push(byte)
    if (byte !== LF) {
      // Only a line end may follow a chunk's data; any other byte shows that the size was wrong.
      const wrong = this.state === 'dataEnd' && (byte !== CR || this.#line.length > 1)
      if (wrong || this.#line.length > lineBytesMax) this.#break()
      return
    }
    if (this.state === 'size') this.#sizeLine()
    else if (this.state === 'dataEnd') this.#next('size')
    else this.#trailerLine()
  }

  #sizeLine(): void {
    // RFC 9112, 7.1.1: extensions are ignored. Some servers put blanks around the size (old Apache pads with them).
    const text = String.fromCharCode(...this.#line)
    const digits = /^[ \t]*([0-9a-f]{1,13})[ \t]*(?:;.*)?\r?\n$/is.exec(text)?.[1]
    if (digits === undefined) return this.#break()
    this.#chunks++
    this.#remaining = parseInt(digits, 16)
    this.#next(this.#remaining === 0 ? 'trailer' : 'data')
  }

  #trailerLine(): void {
    this.#trailerBytes += this.#line.length
    const blank = this.#line.length === 1 || (this.#line.length === 2 && this.#line[0] === CR)
    if (blank) this.#next('done')
    else if (this.#trailerBytes > trailerBytesMax) this.#break()
    else this.#line.length = 0
  }

  #next(state: ChunkState): void {
    this.state = state
    this.#line.length = 0
  }

  #break(): void {
    this.findings.push(
      this.#chunks === 0 ? finding('notChunked', 0) : finding('chunkBroken', { count: this.#chunks }, this.#position),
    )
    const held = Uint8Array.from(this.#line)
    this.#next('broken')
    this.#onData(held)
  }
}

function couldBeSize(line: number[]): boolean {
  return /^[ \t]*(?:[0-9a-f]{1,13}[ \t]*)?(?:;.*)?\r?$/is.test(String.fromCharCode(...line))
}

/** Decodes a complete body. Bytes after the last chunk are reported and dropped. */
export function dechunk(bytes: Uint8Array): { bytes: Uint8Array; findings: Finding[] } {
  const parts: Uint8Array[] = []
  const reader = new ChunkReader((part) => parts.push(part))
  const used = reader.push(bytes)
  reader.end()
  if (used < bytes.length) reader.findings.push(finding('bytesAfterChunks', { bytes: bytes.length - used }, used))
  return { bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), findings: reader.findings }
}

/** Yields the body in parts without chunk framing. `onFinding` is called at the end. */
export async function* dechunked(
  source: AsyncIterable<Uint8Array>,
  onFinding?: (finding: Finding) => void,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  const reader = new ChunkReader((part) => parts.push(part))
  for await (const bytes of source) {
    reader.push(bytes)
    yield* parts
    parts = []
    if (reader.state === 'done') break
  }
  reader.end()
  yield* parts
  if (onFinding) reader.findings.forEach(onFinding)
}
