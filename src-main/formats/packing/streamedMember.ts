/** Unpacks a large or damaged member as a stream in bounded memory. Format-specific parts (where the compressed
 *  bytes begin, what follows them) are passed in by the caller. */
import { finding, type Finding } from '../rules/finding.ts'
import type { Window } from '../bytes/fileWindow.ts'
import type { Member } from './member.ts'
import { Unpacker, type Engine } from './unpacker.ts'

/** Maximum ratio of content to packed bytes; beyond it, the member is reported as a bomb. deflate reaches 1032, but
 *  only by repeating one byte; zstd reaches far more. */
const expansionMax = 500
/** Content of a member that is unpacked whatever the ratio, in bytes: an archived disk image of zeros is not an
 *  attack. */
const expandedBytesMin = 1024 * 1024 * 1024

/** Sizes of the compressed pieces given to the decompressor, one for each pass. When a piece is damaged, the content
 *  unpacked from it is lost. The member is therefore unpacked again from its start, with smaller pieces from the
 *  damaged piece on; with pieces of one byte, nothing before the damage is lost. This costs at most three more
 *  passes and some 130 small steps for each damaged member. The sizes do not depend on what is loaded, so a file
 *  reads the same through any window. */
const pieceSizes = [64 * 1024, 1024, 32, 1] as const

/** What is needed to unpack a member. */
export interface MemberInput {
  window: Window
  /** Offset of the member in the file. */
  offset: number
  /** Length of its header in bytes. The compressed bytes follow. */
  headerBytes: number
  createEngine: () => Engine
  trailer?: Trailer
}

/** Bytes after the compressed data, and what they have to match. */
export interface Trailer {
  /** Length in bytes. */
  bytes: number
  /** Is called with all of the content, in order. */
  update(content: Uint8Array): void
  /** Compares the trailer with the content. Called once, after the last `update`. */
  findings(trailer: Uint8Array): Finding[]
}

/** A member that is unpacked piece by piece. */
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

  /** Whether the member has expanded beyond both limits; it is then closed. */
  #isBomb(): boolean {
    if (this.#unpackedBytes < Math.max(expandedBytesMin, this.length * expansionMax)) return false
    this.#report(finding('memberBomb', { bytes: this.length, unpacked: this.#unpackedBytes }, this.#input.offset))
    this.close()
    return true
  }

  /** Yields the content. For a damaged member, yields all that can be unpacked before the byte in which the damage
   *  appears. */
  async *#content(): AsyncGenerator<Uint8Array, void> {
    // Number of compressed bytes known to unpack without an error.
    let goodBytes = 0
    for (const pieceBytes of pieceSizes) {
      const damage = yield* this.#pass(goodBytes, pieceBytes)
      if (!damage) return
      goodBytes = damage.atBytes
      if (pieceBytes === 1 || damage.isAtEnd)
        return this.#report(finding('memberDamaged', { problem: damage.error.message }, this.#input.offset))
    }
  }

  /** Unpacks the member from its start, in small pieces after the first `goodBytes`, and yields only what no earlier
   *  pass has yielded. */
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

  /** Reads and compares the trailer. Returns false when the file ends before the trailer does. */
  async #checkTrailer(): Promise<boolean> {
    const { trailer, window, offset } = this.#input
    if (!trailer) return true
    const bytes = await window.view(offset + this.length, trailer.bytes)
    if (bytes.length < trailer.bytes) {
      this.length += bytes.length
      this.#report(finding('memberTorn', offset))
      return false
    }
    this.length += trailer.bytes
    this.findings.push(...trailer.findings(bytes.subarray(0, trailer.bytes)))
    this.whole = this.findings.length === 0
    return true
  }

  #report(found: Finding): void {
    this.whole = false
    this.findings.push(found)
  }
}

/** Where a pass over a member failed. */
interface Damage {
  error: Error
  /** Compressed bytes before the piece in which the damage appeared. */
  atBytes: number
  /** True when the damage appeared after the last byte of the file. */
  isAtEnd: boolean
}

/** Returns true for errors of zlib and zstd about unreadable bytes and for exceeded output limits. Any other error
 *  is a bug or a disk fault and must be thrown again. */
export function isPackingError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(Z_|ZSTD_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code))
}
