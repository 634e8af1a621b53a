/** A large or damaged member, unpacked as a stream in bounded memory. What its format has of its own (where the compressed
 *  bytes begin, what follows them) comes from outside. */
import { finding, type Finding } from '../rules/finding.ts'
import type { Window } from '../bytes/fileWindow.ts'
import type { RuleName } from '../rules/rules.ts'
import type { Member } from './member.ts'
import { Unpacker, type Engine } from './unpacker.ts'

/** Deflate reaches 1032, and only with the same byte over and over; zstd far more. */
const expansionMax = 500
/** So much may unpack whatever the ratio: an archived disk image of zeros is no attack. */
const expandedBytesMin = 1024 * 1024 * 1024

/** Compressed bytes given to the decompressor at once. When damage shows in a piece, what it unpacked of that piece is lost, so
 *  the member is unpacked again from its start, with smaller pieces from that one on; in pieces of one byte, nothing before the
 *  damage is lost. That costs at most three more passes and some 130 small steps per damaged member. The sizes do
 *  not depend on what is loaded, so a file reads the same through any window. */
const pieceSizes = [64 * 1024, 1024, 32, 1] as const

export interface MemberInput {
  window: Window
  /** Of the member in the file. */
  offset: number
  /** Length of its header; the compressed bytes follow. */
  headerBytes: number
  createEngine: () => Engine
  trailer?: Trailer
}

/** What follows the compressed bytes. */
export interface Trailer {
  bytes: number
  /** Is given all of the content, in order. */
  update(content: Uint8Array): void
  findings(trailer: Uint8Array): Finding[]
}

export class StreamedMember implements Member {
  readonly content = undefined
  length: number
  whole = true
  complete = false
  readonly findings: Finding[] = []
  #input: MemberInput
  #unpacker: Unpacker | undefined
  #output: AsyncIterator<Uint8Array, void>
  #unpackedBytes = 0
  #ended = false

  constructor(input: MemberInput) {
    this.#input = input
    this.length = input.headerBytes
    this.#output = this.#content()
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined
    const step = await this.#output.next()
    if (!step.done) {
      this.#input.trailer?.update(step.value)
      if (!this.#isBomb()) return step.value
    }
    this.#ended = true
    if (this.whole) this.complete = await this.#checkTrailer()
    return undefined
  }

  close(): void {
    this.#ended = true
    this.#unpacker?.close()
  }

  #isBomb(): boolean {
    if (this.#unpackedBytes < Math.max(expandedBytesMin, this.length * expansionMax)) return false
    this.#report(
      'memberBomb',
      `${this.length} bytes decompress to more than ${this.#unpackedBytes}; the rest was skipped.`,
    )
    this.close()
    return true
  }

  /** The content; with damage, all of it that can be unpacked before the byte in which the damage shows. */
  async *#content(): AsyncGenerator<Uint8Array, void> {
    // Compressed bytes known to unpack without an error.
    let goodBytes = 0
    for (const pieceBytes of pieceSizes) {
      const damage = yield* this.#pass(goodBytes, pieceBytes)
      if (!damage) return
      goodBytes = damage.atBytes
      if (pieceBytes === 1 || damage.isAtEnd)
        return this.#report('memberDamaged', `Damaged compressed data (${damage.error.message}).`)
    }
  }

  /** Unpacks from the start, in small pieces after the first `goodBytes`, and yields what no earlier pass has. */
  async *#pass(goodBytes: number, pieceBytes: number): AsyncGenerator<Uint8Array, Damage | undefined> {
    const { window, offset, headerBytes, createEngine } = this.#input
    const unpacker = new Unpacker(createEngine())
    this.#unpacker = unpacker
    let toSkip = this.#unpackedBytes
    let atBytes = 0
    let isAtEnd = false
    try {
      while (!unpacker.ended && !isAtEnd) {
        const wantedBytes = atBytes < goodBytes ? Math.min(pieceSizes[0], goodBytes - atBytes) : pieceBytes
        const at = offset + headerBytes + atBytes
        const piece = (await window.view(at, wantedBytes)).subarray(0, wantedBytes)
        isAtEnd = piece.length === 0
        for await (const bytes of isAtEnd ? unpacker.finish() : unpacker.unpack(piece)) {
          const fresh = bytes.subarray(toSkip)
          toSkip -= bytes.length - fresh.length
          if (fresh.length === 0) continue
          this.#unpackedBytes += fresh.length
          this.length = headerBytes + unpacker.usedBytes
          yield fresh
        }
        atBytes += piece.length
      }
      this.length = headerBytes + unpacker.usedBytes
      return undefined
    } catch (error) {
      if (!isPackingError(error)) throw error
      this.length = headerBytes + atBytes
      return { error, atBytes, isAtEnd }
    } finally {
      unpacker.close()
    }
  }

  /** False when the file ends before it. */
  async #checkTrailer(): Promise<boolean> {
    const { trailer, window, offset } = this.#input
    if (!trailer) return true
    const bytes = await window.view(offset + this.length, trailer.bytes)
    if (bytes.length < trailer.bytes) {
      this.length += bytes.length
      this.#report('memberTorn', 'The file ends inside a compressed record.')
      return false
    }
    this.length += trailer.bytes
    this.findings.push(...trailer.findings(bytes.subarray(0, trailer.bytes)))
    this.whole = this.findings.length === 0
    return true
  }

  #report(rule: RuleName, text: string): void {
    this.whole = false
    this.findings.push(finding(rule, text, this.#input.offset))
  }
}

interface Damage {
  error: Error
  /** Compressed bytes before the piece in which it showed. */
  atBytes: number
  /** It showed when no bytes were left. */
  isAtEnd: boolean
}

/** What zlib and zstd say of bytes that they cannot read, or of a bound that was reached; anything else is a bug or a disk. */
export function isPackingError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(Z_|ZSTD_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code))
}
