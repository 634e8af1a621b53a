/** Opens gzip members and zstd frames of one file, distinguished by their first bytes. */
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

/** Returns the length of the member or frame at the start of `bytes` when it has no content; otherwise undefined. */
export function emptyMemberLength(bytes: Uint8Array): number | undefined {
  return isGzip(bytes) ? emptyGzipMemberLength(bytes) : emptyZstdFrameLength(bytes)
}

/** Members of one file. Loads the zstd dictionary of the file when the first frame is opened. */
export class Members {
  readonly window: Window
  #dictionary: Promise<Uint8Array | undefined> | undefined

  #batch: GzipBatch | undefined

  /** `inSequence`: members are opened one after another, so small ones may be inflated in batches. */
  constructor(window: Window, { inSequence }: { inSequence: boolean }) {
    this.window = window
    if (inSequence) this.#batch = new GzipBatch()
  }

  /** Whether the bytes begin with a member of either kind. */
  begins(bytes: Uint8Array): boolean {
    return isGzip(bytes) || isZstd(bytes)
  }

  /** Opens the member at `offset`. `bytes` are the loaded bytes from there on. Returns undefined when no member
   *  begins there. */
  async open(offset: number, bytes: Uint8Array): Promise<Member | undefined> {
    if (isGzip(bytes)) return (await this.#batch?.member(offset, bytes)) ?? openGzipMember(this.window, offset)
    return isZstd(bytes) ? openZstdFrame(this.window, offset, await this.#zstdDictionary()) : undefined
  }

  /** Opens the member at `offset` when its content is in memory already; otherwise undefined. To be called once for a member. */
  takeHeld(offset: number): Member | undefined {
    return this.#batch?.next(offset)
  }

  /** Returns the beginning of the content of the member at `offset`; undefined when none of it can be unpacked. */
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

/** First bytes of a member of each kind, used to search for members after damage. */
export const memberMarks = [gzipMark, zstdMark]

/** Packed bytes that are enough to show how a record begins. */
const gzipBeginBytes = 4096
/** zstd returns nothing before it has a complete block, which has at most 128 kB (RFC 8878, 3.1.1.2.4). */
const zstdBeginBytes = 132 * 1024
