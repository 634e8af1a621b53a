/** A position in JSON text that moves forward through a file of any size. It finds the ends of values by brackets
 *  and strings alone and stores none of them, so it needs no memory beyond the window of the file. JSON.parse
 *  validates a value once it is known to be small enough. */
import type { FileWindow } from '../bytes/fileWindow.ts'

/** Location of a value in the file: bytes `from` to `to`. */
export interface Extent {
  from: number
  to: number
  /** Approximate number of values, keys and commas, which determines the memory it needs in addition to its bytes. */
  parts: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const opening = new Set([0x7b, 0x5b])
const closing = new Set([0x7d, 0x5d])
/** White space of JSON (RFC 8259, 2). */
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Bytes that end a number or a word (true, false, null). */
const delimiters = new Set([...blanks, ...opening, ...closing, quote, comma, colon])

/** The position. It only moves forward, and `peek` moves past white space. */
export class JsonCursor {
  position: number
  #window: FileWindow

  constructor(window: FileWindow, position = 0) {
    this.#window = window
    this.position = position
  }

  /** Returns the next byte that is not white space; undefined at the end. */
  async peek(): Promise<number | undefined> {
    for (;;) {
      const bytes = await this.#window.view(this.position, 1)
      if (bytes.length === 0) return undefined
      const found = bytes.findIndex((byte) => !blanks.has(byte))
      this.position += found < 0 ? bytes.length : found
      if (found >= 0) return bytes[found]
    }
  }

  /** Moves past the next byte when it is `character`; otherwise returns false. */
  async take(character: string): Promise<boolean> {
    if ((await this.peek()) !== character.charCodeAt(0)) return false
    this.position += 1
    return true
  }

  /** Moves past the next value. Returns undefined when the file ends within it, or when no value begins here. */
  async skipValue(): Promise<Extent | undefined> {
    const first = await this.peek()
    if (first === undefined || closing.has(first) || first === comma || first === colon) return undefined
    const from = this.position
    const scan: Scan = { depth: 0, parts: 1, inString: false, escaped: false, inWord: false, done: false }
    for (;;) {
      const bytes = await this.#window.view(this.position, 1)
      if (bytes.length === 0) return scan.inWord && scan.depth === 0 ? { from, to: this.position, parts: 1 } : undefined
      this.position += scanValue(bytes, scan)
      if (scan.done) return { from, to: this.position, parts: scan.parts }
    }
  }
}

/** State of the scan of one value, which continues across windows. */
interface Scan {
  depth: number
  parts: number
  inString: boolean
  /** True when the previous byte was a backslash that escapes the next one. */
  escaped: boolean
  inWord: boolean
  done: boolean
}

/** Scans part of a value. Returns how many of the bytes belong to it; the next call continues with the following
 *  bytes. */
function scanValue(bytes: Uint8Array, scan: Scan): number {
  let at = 0
  while (at < bytes.length && !scan.done) {
    if (scan.inString) at = scanString(bytes, at, scan)
    else at = scanOutside(bytes, at, scan)
  }
  return at
}

/** Scans outside of strings: counts brackets, and stops at the first byte of a string. */
function scanOutside(bytes: Uint8Array, from: number, scan: Scan): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (scan.inWord && delimiters.has(byte)) {
      scan.inWord = false
      if (scan.depth === 0) {
        scan.done = true
        return at
      }
    }
    if (byte === quote) {
      scan.inString = true
      return at + 1
    }
    if (opening.has(byte)) {
      scan.depth++
      scan.parts++
    } else if (closing.has(byte)) {
      scan.depth--
      scan.done = scan.depth === 0
      if (scan.done) return at + 1
    } else if (byte === comma || byte === colon) scan.parts++
    else if (!blanks.has(byte)) scan.inWord = true
  }
  return bytes.length
}

/** Scans a string for its closing quote only: a body is one long string, and this runs at the speed of memory. */
function scanString(bytes: Uint8Array, from: number, scan: Scan): number {
  let at = from
  if (scan.escaped) {
    scan.escaped = false
    at++
  }
  for (;;) {
    const found = bytes.indexOf(quote, at)
    const end = found < 0 ? bytes.length : found
    let run = end
    while (run > at && bytes[run - 1] === backslash) run--
    const isEscaped = (end - run) % 2 === 1
    if (found < 0) {
      scan.escaped = isEscaped
      return bytes.length
    }
    at = found + 1
    if (isEscaped) continue
    scan.inString = false
    scan.done = scan.depth === 0
    return at
  }
}
