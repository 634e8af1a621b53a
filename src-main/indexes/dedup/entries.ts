/** Entries of a deduplication index: 32 bytes each, little-endian but for the keys, whose bytes are compared in order. An entry only leads
 *  to a record, which is read and compared before anything refers to it, so hashes of 64 bits are enough. Pure. */
import { hash } from 'node:crypto'

/** Where the record of a payload is. */
export interface DedupEntry {
  urlHash: bigint
  payloadHash: bigint
  timestampMs: number
  /** Position of the archive file in the manifest of the index. */
  file: number
  offset: number
}

/** Bytes of one entry: both hashes (8 each), the time (6), the file (4) and the offset (6). */
export const entryBytes = 32
/** Times and offsets are less than this. */
export const numberMax = 2 ** 48

/** Order of the entries: by URL, or by payload. Within one key the newest comes first. */
export type DedupOrder = 'url' | 'payload'

/** Hash of an index key or of a digest as an index line spells it: the first eight bytes of its SHA-1. */
export function hashOf(text: string): bigint {
  return hash('sha1', text, 'buffer').readBigUInt64BE()
}

/** Writes an entry at a position. */
export function putEntry(into: Buffer, at: number, entry: DedupEntry): void {
  into.writeBigUInt64BE(entry.urlHash, at)
  into.writeBigUInt64BE(entry.payloadHash, at + 8)
  into.writeUIntLE(entry.timestampMs, at + 16, 6)
  into.writeUInt32LE(entry.file, at + 22)
  into.writeUIntLE(entry.offset, at + 26, 6)
}

/** Reads the entry at a position. */
export function entryAt(from: Buffer, at: number): DedupEntry {
  return {
    urlHash: from.readBigUInt64BE(at),
    payloadHash: from.readBigUInt64BE(at + 8),
    timestampMs: from.readUIntLE(at + 16, 6),
    file: from.readUInt32LE(at + 22),
    offset: from.readUIntLE(at + 26, 6),
  }
}

/** Position of the key within an entry. */
export function keyPosition(order: DedupOrder): number {
  return order === 'url' ? 0 : 8
}

/** Most entries of one key in an index: the newest. A payload may have been captured a million times, and one capture of it is enough. */
export const entriesPerKeyMax = 16

/** Sorts the entries in `bytes`, at most `sortedEntriesMax`, and returns the newest of each key in a new buffer. The first 32 bits of the key and the
 *  position of the entry are one number each, because sorting numbers takes a tenth of the time of comparing entries. */
export function sortedEntries(bytes: Buffer, order: DedupOrder): Buffer {
  const count = bytes.length / entryBytes
  if (count > sortedEntriesMax) throw new Error(`${count} entries are too many to sort at once`)
  const at = keyPosition(order)
  const numbers = new Float64Array(count)
  for (let index = 0; index < count; index++)
    numbers[index] = bytes.readUInt32BE(index * entryBytes + at) * sortedEntriesMax + index
  numbers.sort()
  const sorted = Buffer.allocUnsafe(bytes.length)
  let length = 0
  /** Entries with the key of the last one. */
  let ofKey = 0
  const add = (index: number) => {
    const from = index * entryBytes
    ofKey =
      length > 0 &&
      sorted.compare(bytes, from + at, from + at + 8, length - entryBytes + at, length - entryBytes + at + 8) === 0
        ? ofKey + 1
        : 1
    if (ofKey <= entriesPerKeyMax) length += bytes.copy(sorted, length, from, from + entryBytes)
  }
  for (let from = 0; from < count;) {
    const begin = Math.floor((numbers[from] ?? 0) / sortedEntriesMax)
    let to = from + 1
    while (to < count && Math.floor((numbers[to] ?? 0) / sortedEntriesMax) === begin) to += 1
    const indexes = Array.from(numbers.subarray(from, to), (number) => number % sortedEntriesMax)
    if (indexes.length > 1)
      indexes.sort((one, other) => compareEntries(bytes, one * entryBytes, other * entryBytes, order))
    for (const index of indexes) add(index)
    from = to
  }
  return sorted.subarray(0, length)
}

/** Most entries that are sorted at once: 64 MB. Positions of so many fit into a number next to 32 bits of the key. */
export const sortedEntriesMax = 2 ** 21

function compareEntries(bytes: Buffer, one: number, other: number, order: DedupOrder): number {
  const [first, second] = order === 'url' ? [0, 8] : [8, 0]
  return (
    compareBytes(bytes, one + first, other + first) ||
    bytes.readUIntLE(other + 16, 6) - bytes.readUIntLE(one + 16, 6) ||
    compareBytes(bytes, one + second, other + second) ||
    bytes.readUInt32LE(one + 22) - bytes.readUInt32LE(other + 22) ||
    bytes.readUIntLE(one + 26, 6) - bytes.readUIntLE(other + 26, 6)
  )
}

function compareBytes(bytes: Buffer, one: number, other: number): number {
  return bytes.compare(bytes, other, other + 8, one, one + 8)
}
