/** The content of one file in two states: as a program sees it, and as a power cut would leave it. Names and folders are in
 *  `seededTree.ts`: a file that is synced may still have no name after the cut. */
import type { SeededChance } from './seededChance.ts'

/** A file of the seeded disk. */
export interface SeededFile {
  kind: 'file'
  /** Content that a program sees: the first `bytes` of `seen`. */
  seen: Uint8Array
  bytes: number
  modifiedAtMs: number
  mode: number
  /** Content on the device: never longer than at the last sync. */
  held: Uint8Array
  heldBytes: number
  /** Up to this position `seen` and `held` are equal; less than `heldBytes` after a truncation. */
  alikeBytes: number
}

/** Returns an empty file. */
export function newFile(modifiedAtMs: number, mode: number): SeededFile {
  return {
    kind: 'file',
    seen: new Uint8Array(0),
    bytes: 0,
    modifiedAtMs,
    mode,
    held: new Uint8Array(0),
    heldBytes: 0,
    alikeBytes: 0,
  }
}

/** Writes at `position`, which may be inside the file: the bytes after the written ones are kept. */
export function writeAt(file: SeededFile, chunk: Uint8Array, position: number): void {
  const end = position + chunk.length
  file.seen = roomFor(file.seen, file.bytes, end)
  file.seen.set(chunk, position)
  file.bytes = Math.max(file.bytes, end)
  file.alikeBytes = Math.min(file.alikeBytes, position)
}

/** Sets the length of a file; bytes added at its end are zero. */
export function truncateTo(file: SeededFile, length: number): void {
  file.seen = roomFor(file.seen, file.bytes, length)
  file.seen.fill(0, Math.min(file.bytes, length))
  file.bytes = length
  file.alikeBytes = Math.min(file.alikeBytes, length)
}

/** fdatasync: costs only the bytes that are new since the last one, as on a device. */
export function syncFile(file: SeededFile): void {
  file.held = roomFor(file.held, file.alikeBytes, file.bytes)
  file.held.set(file.seen.subarray(file.alikeBytes, file.bytes), file.alikeBytes)
  file.heldBytes = file.bytes
  file.alikeBytes = file.bytes
}

/** Flips a bit of the device silently. */
export function turnBit(file: SeededFile, offset: number, bit: number): void {
  for (const bytes of [file.seen, file.held]) {
    const before = bytes[offset]
    if (before !== undefined) bytes[offset] = before ^ (1 << bit)
  }
}

/** Cuts the power: of the bytes that were not synced, a beginning of random length is kept. Sometimes the length was stored
 *  before the bytes and the rest reads as zeros, as file systems with delayed allocation leave it. */
export function cutPower(file: SeededFile, chance: SeededChance): void {
  const truncationCame = file.alikeBytes === file.heldBytes || chance.happens(500)
  if (truncationCame) {
    const tornAt = file.alikeBytes + chance.below(file.bytes - file.alikeBytes + 1)
    const bytes = chance.happens(250) ? tornAt + chance.below(file.bytes - tornAt + 1) : tornAt
    file.held = roomFor(file.held, file.alikeBytes, bytes)
    file.held.set(file.seen.subarray(file.alikeBytes, tornAt), file.alikeBytes)
    file.held.fill(0, tornAt, bytes)
    file.heldBytes = bytes
  }
  file.seen = file.held.slice(0, file.heldBytes)
  file.bytes = file.heldBytes
  file.alikeBytes = file.heldBytes
}

function roomFor(bytes: Uint8Array, used: number, wanted: number): Uint8Array {
  if (wanted <= bytes.length) return bytes
  const larger = new Uint8Array(Math.max(wanted, bytes.length * 2, 4096))
  larger.set(bytes.subarray(0, used))
  return larger
}
