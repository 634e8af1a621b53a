/** A large or damaged member, unpacked as a stream in bounded memory. What its format has of its own (where the compressed
 *  bytes begin, what follows them) comes from outside. */
import type { InflateRaw, ZstdDecompress } from 'node:zlib'
import { finding, type Finding } from '../rules/finding.ts'
import type { Window } from '../bytes/fileWindow.ts'
import type { RuleName } from '../rules/rules.ts'
import type { Member } from './member.ts'

/** Deflate reaches 1032, and only with the same byte over and over; zstd far more. */
const expansionMax = 500
/** So much may unpack whatever the ratio: an archived disk image of zeros is no attack. */
const expandedBytesMin = 1024 * 1024 * 1024

/** What is unpacked of one piece before damage in it is lost, so pieces are small; and always the same ones, so that a file
 *  reads the same through any window. */
const feedBytes = 4096

export interface Stuff {
  window: Window
  /** Of the member in the file. */
  offset: number
  /** Before the compressed bytes. */
  headerBytes: number
  engine: InflateRaw | ZstdDecompress
  trailer?: Trailer
}

/** What follows the compressed bytes. */
export interface Trailer {
  bytes: number
  /** Hears all of the content. */
  update(content: Uint8Array): void
  findings(trailer: Uint8Array): Finding[]
}

export class StreamedMember implements Member {
  readonly content = undefined
  length: number
  whole = true
  complete = false
  readonly findings: Finding[] = []
  #stuff: Stuff
  #output: AsyncIterator<Uint8Array>
  #feeding = false
  #unpackedBytes = 0
  #ended = false

  constructor(stuff: Stuff) {
    this.#stuff = stuff
    this.length = stuff.headerBytes
    this.#output = (stuff.engine as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined
    if (!this.#feeding) {
      this.#feeding = true
      void this.#feed()
    }
    const bytes = await this.#nextOutput()
    this.length = this.#stuff.headerBytes + this.#stuff.engine.bytesWritten
    if (bytes) {
      this.#stuff.trailer?.update(bytes)
      this.#unpackedBytes += bytes.length
      if (!this.#isBomb()) return bytes
    }
    this.#ended = true
    if (this.whole) this.complete = await this.#checkTrailer()
    return undefined
  }

  close(): void {
    this.#ended = true
    this.#stuff.engine.destroy()
  }

  #isBomb(): boolean {
    if (this.#unpackedBytes < Math.max(expandedBytesMin, this.length * expansionMax)) return false
    this.#report(
      'memberBomb',
      `${this.length} bytes unpack to more than ${this.#unpackedBytes}; the rest is left unread.`,
    )
    this.close()
    return true
  }

  async #nextOutput(): Promise<Uint8Array | undefined> {
    try {
      const step = await this.#output.next()
      return step.done ? undefined : step.value
    } catch (error) {
      if (!isPackingError(error)) throw error
      this.#report('memberDamaged', `What is packed here is damaged (${error.message}).`)
      return undefined
    }
  }

  /** Ends when the engine has seen the end of the member, or the file ends. A refusing disk destroys the engine, so that
   *  `next` throws what it said. */
  async #feed(): Promise<void> {
    const { engine, window, offset, headerBytes } = this.#stuff
    const closed = new Promise<void>((resolve) => engine.once('end', resolve).once('close', resolve))
    let at = offset + headerBytes
    try {
      while (!engine.readableEnded && !engine.destroyed) {
        const bytes = (await window.view(at, feedBytes)).subarray(0, feedBytes)
        if (bytes.length === 0) {
          engine.end()
          return
        }
        at += bytes.length
        // A write is not answered when the member ends inside it: the end is what comes then.
        await Promise.race([new Promise<void>((resolve) => engine.write(bytes, () => resolve())), closed])
      }
    } catch (error) {
      engine.destroy(error instanceof Error ? error : new Error('reading packed bytes', { cause: error }))
    }
  }

  /** False when the file ends before it. */
  async #checkTrailer(): Promise<boolean> {
    const { trailer, window, offset } = this.#stuff
    if (!trailer) return true
    const bytes = await window.view(offset + this.length, trailer.bytes)
    if (bytes.length < trailer.bytes) {
      this.length += bytes.length
      this.#report('memberTorn', 'The file ends within a packed record.')
      return false
    }
    this.length += trailer.bytes
    this.findings.push(...trailer.findings(bytes.subarray(0, trailer.bytes)))
    this.whole = this.findings.length === 0
    return true
  }

  #report(rule: RuleName, text: string): void {
    this.whole = false
    this.findings.push(finding(rule, text, this.#stuff.offset))
  }
}

/** What zlib and zstd say of bytes that they cannot read, or of a bound that was reached; anything else is a bug or a disk. */
export function isPackingError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(Z_|ZSTD_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code))
}
