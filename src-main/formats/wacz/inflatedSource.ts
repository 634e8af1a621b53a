/** Provides a deflated entry as a source of bytes. It is unpacked forwards, and a window of recent bytes is kept for
 *  readers that go back a little. A read before the window starts again from the beginning, a bounded number of
 *  times, so that the time is proportional to the size. Stored entries are read from the file directly. */
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import type { ByteSource } from '../bytes/fileWindow.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { deflateRatioMax } from '../packing/gzipMembers.ts'
import { Inflating, pieceBytes } from './inflating.ts'

/** Bytes that are kept: four windows of the record readers. */
const keptBytesMax = 4 * 1024 * 1024
/** Maximum number of times that unpacking starts. A nested package is read at its end, in its middle, and once for
 *  each of its files. */
const beginningsMax = 64

/** A deflated entry. */
export interface Packed {
  compressed: ByteSource
  compressedBytes: number
  /** Unpacked length stated by the zip; undefined when unknown. */
  bytes: number | undefined
  /** Quoted name of the entry, for findings. */
  label: string
  onFinding: (finding: Finding) => void
}

/** Invariant: `#kept` holds the unpacked bytes from `#keptFrom` to `#inflatedTo` without gaps, and `#fedTo`
 *  compressed bytes were unpacked to get there. */
export class InflatedSource implements ByteSource {
  #packed: Packed
  /** Maximum number of bytes that are unpacked, whatever the entry contains: the stated length, or the most that
   *  deflate can produce. */
  #bytesMax: number
  #inflating: Inflating | undefined
  #beginnings = 0
  #fedTo = 0
  #kept: Uint8Array[] = []
  #keptFrom = 0
  #inflatedTo = 0
  #ended = false
  #reportedRules = new Set<string>()
  /** Reads run one at a time: concurrent ones would interfere with each other on the single stream. */
  readonly #inTurn = oneAtATime()

  constructor(packed: Packed) {
    this.#packed = packed
    this.#bytesMax = Math.min(packed.bytes ?? Infinity, packed.compressedBytes * deflateRatioMax)
  }

  read(into: Uint8Array, position: number): Promise<number> {
    return this.#inTurn(() => this.#read(into, position))
  }

  /** Releases the buffers of zlib. A later read would start again. */
  close(): void {
    this.#inflating?.close()
    this.#inflating = undefined
    this.#kept = []
    this.#keptFrom = this.#inflatedTo
  }

  async #read(into: Uint8Array, position: number): Promise<number> {
    if (!this.#inflating || position < this.#keptFrom) {
      if (!this.#begin()) return 0
    }
    let filled = this.#copy(into, position)
    while (filled < into.length && !this.#ended) {
      await this.#more()
      filled += this.#copy(into.subarray(filled), position + filled)
      this.#forget(position + filled)
    }
    return filled
  }

  #begin(): boolean {
    if (this.#beginnings === beginningsMax) {
      this.#report(finding('zipEntryReadBack', { path: this.#packed.label, count: beginningsMax }))
      return false
    }
    this.#beginnings++
    this.#inflating?.close()
    this.#inflating = new Inflating()
    this.#fedTo = 0
    this.#kept = []
    this.#keptFrom = 0
    this.#inflatedTo = 0
    this.#ended = false
    return true
  }

  async #more(): Promise<void> {
    const inflating = this.#inflating
    if (!inflating) return
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, this.#packed.compressedBytes - this.#fedTo))
    const read = piece.length > 0 ? await this.#packed.compressed.read(piece, this.#fedTo) : 0
    this.#fedTo += read
    const came = read > 0 ? await inflating.feed(piece.subarray(0, read)) : await inflating.finish()
    for (const bytes of came) this.#keep(bytes)
    if (!inflating.over && read > 0 && !this.#ended) return
    this.#ended = true
    this.#checkEnd(inflating)
  }

  #keep(bytes: Uint8Array): void {
    const room = this.#bytesMax - this.#inflatedTo
    const part = bytes.length > room ? bytes.subarray(0, room) : bytes
    if (part.length > 0) this.#kept.push(part)
    this.#inflatedTo += part.length
    if (part.length === bytes.length) return
    this.#ended = true
    this.#report(finding('zipEntryLength.longer', { path: this.#packed.label, stated: this.#bytesMax }))
  }

  #checkEnd(inflating: Inflating): void {
    const { label: path, bytes: stated } = this.#packed
    const bytes = this.#inflatedTo
    if (inflating.damage !== undefined)
      this.#report(finding('zipEntryDamaged', { path, bytes, problem: inflating.damage }))
    else if (stated !== undefined && bytes < stated) this.#report(finding('zipEntryLength', { path, bytes, stated }))
  }

  /** Reports a finding once, even when unpacking starts again. */
  #report(found: Finding): void {
    if (this.#reportedRules.has(found.rule)) return
    this.#reportedRules.add(found.rule)
    this.#packed.onFinding(found)
  }

  #copy(into: Uint8Array, position: number): number {
    let filled = 0
    let at = this.#keptFrom
    for (const bytes of this.#kept) {
      const from = position + filled - at
      at += bytes.length
      if (from >= bytes.length) continue
      const part = bytes.subarray(from, from + into.length - filled)
      into.set(part, filled)
      filled += part.length
      if (filled === into.length) break
    }
    return filled
  }

  #forget(readTo: number): void {
    const keepFrom = Math.min(readTo, this.#inflatedTo - keptBytesMax)
    let first = this.#kept[0]
    while (first && this.#keptFrom + first.length <= keepFrom) {
      this.#kept.shift()
      this.#keptFrom += first.length
      first = this.#kept[0]
    }
  }
}
