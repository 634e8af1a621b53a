/** The chunked transfer coding (RFC 9112, 7.1), fed as bytes arrive. It never holds body bytes, only the line it is in.
 *  What cannot be a chunk is body until the end: a server that says `chunked` and does not mean it is common. */
import { finding, type Finding } from '../rules/finding.ts'

/** A size line or trailer line longer than this is no line. Real chunk extensions have some hundred bytes. */
const lineBytesMax = 8192
/** All trailer lines together. */
const trailerBytesMax = 65_536

export type ChunkState = 'size' | 'data' | 'dataEnd' | 'trailer' | 'done' | 'broken'

const LF = 10
const CR = 13

export class ChunkReader {
  state: ChunkState = 'size'
  readonly findings: Finding[] = []
  #onData: (bytes: Uint8Array) => void
  /** The bytes of the line so far, kept to be given out as body if it turns out to be none. */
  #line: number[] = []
  #remaining = 0
  #trailerBytes = 0
  #position = 0
  #chunks = 0

  constructor(onData: (bytes: Uint8Array) => void) {
    this.#onData = onData
  }

  /** Returns how many bytes of `bytes` belong to the coded body; fewer than all only when it is done. */
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

  /** Nothing more comes. What is held of an unfinished size line is framing, not body, unless it can be no size line: a
   *  short body in one line, whose chunk framing was removed. */
  end(): void {
    if (this.state === 'done' || this.state === 'broken') return
    if (this.#chunks === 0 && this.#line.length > 0 && !couldBeSize(this.#line)) return this.#break()
    this.findings.push(finding('chunksTorn', 'The body ends before its last chunk.', this.#position))
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
      // After a chunk's data only a line end may come; anything else shows at once that the size was wrong.
      const wrong = this.state === 'dataEnd' && (byte !== CR || this.#line.length > 1)
      if (wrong || this.#line.length > lineBytesMax) this.#break()
      return
    }
    if (this.state === 'size') this.#sizeLine()
    else if (this.state === 'dataEnd') this.#next('size')
    else this.#trailerLine()
  }

  #sizeLine(): void {
    // RFC 9112, 7.1.1: extensions are ignored. Blanks around the size are seen in the wild (old Apache pads with them).
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
      this.#chunks === 0
        ? finding('notChunked', 'The header declares a chunked body, but the body is not chunked.', 0)
        : finding(
            'chunkBroken',
            `After ${this.#chunks} chunks the chunk framing is broken; the rest is taken as it is.`,
            this.#position,
          ),
    )
    const held = Uint8Array.from(this.#line)
    this.#next('broken')
    this.#onData(held)
  }
}

function couldBeSize(line: number[]): boolean {
  return /^[ \t]*(?:[0-9a-f]{1,13}[ \t]*)?(?:;.*)?\r?$/is.test(String.fromCharCode(...line))
}

export function dechunk(bytes: Uint8Array): { bytes: Uint8Array; findings: Finding[] } {
  const parts: Uint8Array[] = []
  const reader = new ChunkReader((part) => parts.push(part))
  const used = reader.push(bytes)
  reader.end()
  if (used < bytes.length) reader.findings.push(surplus(used, bytes.length - used))
  return { bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), findings: reader.findings }
}

/** The body without its chunk framing, part by part. Findings, where wanted, come to `onFinding` at the end. */
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

function surplus(offset: number, bytes: number): Finding {
  return finding('bytesAfterChunks', `${bytes} bytes follow the last chunk.`, offset)
}
