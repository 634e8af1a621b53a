/** Members of whatever kind in one file, told apart by their first bytes. */
import type { Window } from '../bytes/fileWindow.ts'
import { GzipBatch } from './gzipBatch.ts'
import { emptyGzipMemberLength, gzipContentBegin, gzipMark, isGzip, openGzipMember } from './gzipMembers.ts'
import type { Member } from './member.ts'
import {
  emptyZstdFrameLength,
  isZstd,
  openZstdFrame,
  zstdContentBegin,
  zstdDictionary,
  zstdMark,
} from './zstdFrames.ts'

/** Length of the member or frame that `bytes` begin with, when it holds nothing; undefined otherwise. */
export function emptyMemberLength(bytes: Uint8Array): number | undefined {
  return isGzip(bytes) ? emptyGzipMemberLength(bytes) : emptyZstdFrameLength(bytes)
}

export class Members {
  readonly window: Window
  #dictionary: Promise<Uint8Array | undefined> | undefined

  #batch: GzipBatch | undefined

  /** `inSequence`: members will be opened one after another. */
  constructor(window: Window, { inSequence }: { inSequence: boolean }) {
    this.window = window
    if (inSequence) this.#batch = new GzipBatch()
  }

  begins(bytes: Uint8Array): boolean {
    return isGzip(bytes) || isZstd(bytes)
  }

  /** Undefined when none begins there. `bytes`: those at `offset`. */
  async open(offset: number, bytes: Uint8Array): Promise<Member | undefined> {
    if (isGzip(bytes)) return (await this.#batch?.member(offset, bytes)) ?? openGzipMember(this.window, offset)
    return isZstd(bytes) ? openZstdFrame(this.window, offset, await this.#zstdDictionary()) : undefined
  }

  /** How the content of the member at `offset` begins; undefined when none does that could be unpacked. */
  async contentBegin(offset: number): Promise<Uint8Array | undefined> {
    const bytes = await this.window.view(offset, gzipBeginBytes)
    if (isGzip(bytes)) return gzipContentBegin(bytes.subarray(0, gzipBeginBytes))
    if (!isZstd(bytes)) return undefined
    const block = await this.window.view(offset, zstdBeginBytes)
    return zstdContentBegin(block.subarray(0, zstdBeginBytes), await this.#zstdDictionary())
  }

  #zstdDictionary(): Promise<Uint8Array | undefined> {
    this.#dictionary ??= zstdDictionary(this.window)
    return this.#dictionary
  }
}

/** What members of each kind begin with. */
export const memberMarks = [gzipMark, zstdMark]

/** Packed bytes that show how a record begins. */
const gzipBeginBytes = 4096
/** zstd gives nothing before it has a whole block (RFC 8878, 3.1.1.2.4: 128 kB at most). */
const zstdBeginBytes = 132 * 1024
