/** The bytes of one file, seen twice: as a program sees them, and as a power cut would leave them. Names and folders are
 *  not here (see `seededTree.ts`): a file that is synced may still have no name after the cut. */
import type { SeededChance } from './seededChance.ts'

export interface SeededFile {
  kind: 'file'
  /** What a program sees: the first `bytes` of `seen`. */
  seen: Uint8Array
  bytes: number
  modifiedAtMs: number
  mode: number
  /** What the device holds: never longer than it was at the last sync. */
  held: Uint8Array
  heldBytes: number
  /** Up to here what is seen and what is held are the same; less than `heldBytes` after a truncation. */
  alikeBytes: number
}

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

/** Writes at `position`, which may be inside the file: what lies after the written bytes stays. */
export function writeAt(file: SeededFile, chunk: Uint8Array, position: number): void {
  const end = position + chunk.length
  file.seen = roomFor(file.seen, file.bytes, end)
  file.seen.set(chunk, position)
  file.bytes = Math.max(file.bytes, end)
  file.alikeBytes = Math.min(file.alikeBytes, position)
}

export function truncateTo(file: SeededFile, length: number): void {
  file.seen = roomFor(file.seen, file.bytes, length)
  file.seen.fill(0, Math.min(file.bytes, length))
  file.bytes = length
  file.alikeBytes = Math.min(file.alikeBytes, length)
}

/** fdatasync: costs only what is new since the last one, as on a device. */
export function syncFile(file: SeededFile): void {
  file.held = roomFor(file.held, file.alikeBytes, file.bytes)
  file.held.set(file.seen.subarray(file.alikeBytes, file.bytes), file.alikeBytes)
  file.heldBytes = file.bytes
  file.alikeBytes = file.bytes
}

/** A bit of the device flips silently. */
export function turnBit(file: SeededFile, offset: number, bit: number): void {
  for (const bytes of [file.seen, file.held]) {
    const before = bytes[offset]
    if (before !== undefined) bytes[offset] = before ^ (1 << bit)
  }
}

/** The power is cut: of what was not synced, a beginning of chance length is there. Sometimes the length arrived before the
 *  bytes did and the rest reads as zeros, as file systems with delayed allocation leave it. */
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
