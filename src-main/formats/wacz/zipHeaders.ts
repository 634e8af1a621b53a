/** Parses and writes the fixed structures of a zip file (PKWARE's APPNOTE 6.3.10, section 4.3), including zip64. The
 *  readers (zip.ts, zipWalk.ts) decide which of them to trust, the writer (zipWriter.ts) in which order they are
 *  written.
 *
 *  All numbers are little-endian. Offsets of the fields in each structure:
 *
 *                         local header   directory header
 *      signature                     0                  0
 *      version made by               -                  4
 *      version needed                4                  6
 *      flags                         6                  8
 *      method                        8                 10
 *      time, date                   10                 12
 *      CRC-32                       14                 16
 *      compressed length            18                 20
 *      unpacked length              22                 24
 *      name length                  26                 28
 *      extra length                 28                 30
 *      comment length                -                 32
 *      disk                          -                 34
 *      attributes                    -                 36
 *      offset of local header        -                 42
 *      name, extra (, comment)      30                 46
 *
 *                                end record   zip64 end record
 *      signature                          0                  0
 *      this disk                          4                 16
 *      disk of the directory              6                 20
 *      entries on this disk               8                 24
 *      entries                           10                 32
 *      length of the directory           12                 40
 *      offset of the directory           16                 48
 *      comment length                    20                  - */

import { crc32 } from 'node:zlib'

/** Signatures of the structures, as little-endian numbers. */
export const zipSignatures = {
  localHeader: 0x04034b50,
  descriptor: 0x08074b50,
  directoryHeader: 0x02014b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
} as const

/** General purpose flags (APPNOTE 4.4.4). */
export const zipFlags = { encrypted: 1, descriptor: 8, strongEncryption: 64, utf8: 2048, maskedHeaders: 8192 } as const

/** Compression methods (APPNOTE 4.4.5) that WACZ uses. */
export const zipMethods = { stored: 0, deflated: 8 } as const

/** Value of a 32-bit field whose actual value is in the zip64 extra field (APPNOTE 4.4.8). */
const elsewhere = 0xffffffff
/** The same for a 16-bit field. */
const elsewhere16 = 0xffff

/** Length of a local header without name and extra field (APPNOTE 4.3.7). */
const localHeaderBytesMin = 30
/** Length of a directory header without name, extra field and comment (APPNOTE 4.3.12). */
const directoryHeaderBytesMin = 46
/** Length of an end record without comment (APPNOTE 4.3.16). */
export const endBytesMin = 22
/** Length of the locator, which precedes the end record and refers to the zip64 one (APPNOTE 4.3.15). */
export const zip64LocatorBytes = 20
/** Length of a zip64 end record without its extensible data (APPNOTE 4.3.14). */
export const zip64EndBytesMin = 56
/** Maximum length of a header: name, extra field and comment with the maximum of their 16-bit lengths. */
export const headerBytesMax = directoryHeaderBytesMin + 3 * 0xffff

/** The fields that a local header and a header of the central directory have in common. */
export interface EntryHeader {
  flags: number
  method: number
  crc32: number
  compressedBytes: number
  bytes: number
  name: Uint8Array
  /** Name from the Unicode Path extra field (APPNOTE 4.6.9), when that field belongs to this name. */
  unicodeName: Uint8Array | undefined
  /** True when the sizes are in a zip64 extra field; a data descriptor then has 8 bytes for each (APPNOTE 4.3.9.2). */
  zip64: boolean
  /** Length of the header itself, including its variable parts. */
  length: number
}

/** A header of the central directory. */
export interface DirectoryHeader extends EntryHeader {
  /** Offset of its local header, as the directory counts. */
  offset: number
}

/** An end record, with or without zip64. */
export interface EndOfDirectory {
  entries: number
  directoryBytes: number
  directoryOffset: number
  /** Length of the comment; zero for the zip64 form, which has none. */
  commentBytes: number
  /** True when it refers to other disks. */
  spanned: boolean
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Returns the four bytes at a position as a number; undefined outside of `bytes`. */
export function signatureAt(bytes: Uint8Array, at: number): number | undefined {
  return at >= 0 && at + 4 <= bytes.length ? viewOf(bytes).getUint32(at, true) : undefined
}

/** Reads an 8-byte number; values larger than any file become the largest safe integer. */
function number64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true)
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}

/** Parses a local header (APPNOTE 4.3.7). Returns undefined when `bytes` do not begin with a complete one. */
export function parseLocalHeader(bytes: Uint8Array): EntryHeader | undefined {
  if (bytes.length < localHeaderBytesMin || signatureAt(bytes, 0) !== zipSignatures.localHeader) return undefined
  const view = viewOf(bytes)
  const nameEnd = localHeaderBytesMin + view.getUint16(26, true)
  const length = nameEnd + view.getUint16(28, true)
  if (length > bytes.length) return undefined
  const name = bytes.slice(localHeaderBytesMin, nameEnd)
  const extra = parseExtra(bytes.subarray(nameEnd, length), name, {
    bytes: view.getUint32(22, true),
    compressedBytes: view.getUint32(18, true),
  })
  const plain = { flags: view.getUint16(6, true), method: view.getUint16(8, true), crc32: view.getUint32(14, true) }
  const { bytes: size, compressedBytes, unicodeName, zip64 } = extra
  return { ...plain, name, length, bytes: size, compressedBytes, unicodeName, zip64 }
}

/** Parses a header of the central directory (APPNOTE 4.3.12). Returns undefined when `bytes` do not begin with a
 *  complete one. */
export function parseDirectoryHeader(bytes: Uint8Array): DirectoryHeader | undefined {
  if (bytes.length < directoryHeaderBytesMin || signatureAt(bytes, 0) !== zipSignatures.directoryHeader)
    return undefined
  const view = viewOf(bytes)
  const nameEnd = directoryHeaderBytesMin + view.getUint16(28, true)
  const extraEnd = nameEnd + view.getUint16(30, true)
  const length = extraEnd + view.getUint16(32, true)
  if (length > bytes.length) return undefined
  const name = bytes.slice(directoryHeaderBytesMin, nameEnd)
  const extra = parseExtra(bytes.subarray(nameEnd, extraEnd), name, {
    bytes: view.getUint32(24, true),
    compressedBytes: view.getUint32(20, true),
    offset: view.getUint32(42, true),
  })
  const plain = { flags: view.getUint16(8, true), method: view.getUint16(10, true), crc32: view.getUint32(16, true) }
  return { ...plain, name, length, ...extra }
}

/** The values of a header that zip64 moves to the extra field. */
interface Sizes {
  bytes: number
  compressedBytes: number
  offset?: number
}

/** Parses the extra field. Its zip64 field contains, in this order, only the values whose 32-bit field is
 *  `elsewhere` (APPNOTE 4.5.3). */
function parseExtra(
  extra: Uint8Array,
  name: Uint8Array,
  sizes: Sizes,
): Required<Sizes> & { unicodeName: Uint8Array | undefined; zip64: boolean } {
  const found = { offset: 0, ...sizes, unicodeName: undefined as Uint8Array | undefined, zip64: false }
  const view = viewOf(extra)
  for (let at = 0; at + 4 <= extra.length;) {
    const id = view.getUint16(at, true)
    const end = at + 4 + view.getUint16(at + 2, true)
    if (end > extra.length) break
    if (id === 0x0001) {
      found.zip64 = true
      let next = at + 4
      for (const field of ['bytes', 'compressedBytes', 'offset'] as const) {
        if (sizes[field] !== elsewhere || next + 8 > end) continue
        found[field] = number64(view, next)
        next += 8
      }
    }
    if (id === 0x7075 && end - at > 9 && extra[at + 4] === 1 && view.getUint32(at + 5, true) === crc32(name))
      found.unicodeName = extra.slice(at + 9, end)
    at = end
  }
  return found
}

/** Parses an end record (APPNOTE 4.3.16). */
export function parseEnd(bytes: Uint8Array): EndOfDirectory | undefined {
  if (bytes.length < endBytesMin || signatureAt(bytes, 0) !== zipSignatures.end) return undefined
  const view = viewOf(bytes)
  const disk = view.getUint16(4, true)
  return {
    entries: view.getUint16(10, true),
    directoryBytes: view.getUint32(12, true),
    directoryOffset: view.getUint32(16, true),
    commentBytes: view.getUint16(20, true),
    spanned: disk !== 0 && disk !== elsewhere16,
  }
}

/** Parses a zip64 end record (APPNOTE 4.3.14). */
export function parseZip64End(bytes: Uint8Array): EndOfDirectory | undefined {
  if (bytes.length < zip64EndBytesMin || signatureAt(bytes, 0) !== zipSignatures.zip64End) return undefined
  const view = viewOf(bytes)
  return {
    entries: number64(view, 32),
    directoryBytes: number64(view, 40),
    directoryOffset: number64(view, 48),
    commentBytes: 0,
    spanned: view.getUint32(16, true) !== 0,
  }
}

/** Returns the offset of the zip64 end record, as its writer counted (APPNOTE 4.3.15). */
export function parseZip64Locator(bytes: Uint8Array): number | undefined {
  if (bytes.length < zip64LocatorBytes || signatureAt(bytes, 0) !== zipSignatures.zip64Locator) return undefined
  return number64(viewOf(bytes), 8)
}

/** An entry to be written. */
export interface Written {
  name: Uint8Array
  method: number
  /** True when sizes and checksum follow the data in a descriptor, because they were not known in advance (APPNOTE
   *  4.3.9). */
  described: boolean
  /** True when the local header has 8-byte sizes. */
  zip64: boolean
  crc32: number
  compressedBytes: number
  bytes: number
  offset: number
  modifiedAtMs: number
}

/** Returns the version needed to extract: 4.5 for zip64, otherwise 2.0, which all programs support. */
function versionNeeded(zip64: boolean): number {
  return zip64 ? 45 : 20
}

/** Returns the local header of an entry (APPNOTE 4.3.7). */
export function localHeader(entry: Written): Uint8Array {
  const extra = entry.zip64 ? zip64Extra(entry.described ? [0, 0] : [entry.bytes, entry.compressedBytes]) : noBytes
  const header = Buffer.alloc(localHeaderBytesMin)
  header.writeUInt32LE(zipSignatures.localHeader, 0)
  header.writeUInt16LE(versionNeeded(entry.zip64), 4)
  writeSharedFields(header, 6, entry)
  if (!entry.described) {
    header.writeUInt32LE(entry.crc32, 14)
    header.writeUInt32LE(entry.zip64 ? elsewhere : entry.compressedBytes, 18)
    header.writeUInt32LE(entry.zip64 ? elsewhere : entry.bytes, 22)
  } else if (entry.zip64) {
    header.writeUInt32LE(elsewhere, 18)
    header.writeUInt32LE(elsewhere, 22)
  }
  header.writeUInt16LE(entry.name.length, 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, entry.name, extra])
}

/** Returns the data descriptor of an entry (APPNOTE 4.3.9). */
export function descriptor(entry: Written): Uint8Array {
  const bytes = Buffer.alloc(entry.zip64 ? 24 : 16)
  bytes.writeUInt32LE(zipSignatures.descriptor, 0)
  bytes.writeUInt32LE(entry.crc32, 4)
  if (entry.zip64) {
    bytes.writeBigUInt64LE(BigInt(entry.compressedBytes), 8)
    bytes.writeBigUInt64LE(BigInt(entry.bytes), 16)
  } else {
    bytes.writeUInt32LE(entry.compressedBytes, 8)
    bytes.writeUInt32LE(entry.bytes, 12)
  }
  return bytes
}

/** Returns a header of the central directory. An entry with a zip64 field in its local header gets one here too,
 *  whatever its size: wabac.js (2.27.3, ReplayWeb.page) infers the extra field of the local header from the one
 *  here, and would read the entry's bytes from the wrong offset. */
export function directoryHeader(entry: Written): Uint8Array {
  const { bytes, compressedBytes, offset } = entry
  const wideSizes = entry.zip64 || bytes >= elsewhere || compressedBytes >= elsewhere
  const wide = [...(wideSizes ? [bytes, compressedBytes] : []), ...(offset >= elsewhere ? [offset] : [])]
  const extra = wide.length > 0 ? zip64Extra(wide) : noBytes
  const header = Buffer.alloc(directoryHeaderBytesMin)
  header.writeUInt32LE(zipSignatures.directoryHeader, 0)
  // Made by "UNIX" (3), so that the external attributes are file modes.
  header.writeUInt16LE((3 << 8) | 45, 4)
  header.writeUInt16LE(versionNeeded(wide.length > 0), 6)
  writeSharedFields(header, 8, entry)
  header.writeUInt32LE(entry.crc32, 16)
  header.writeUInt32LE(wideSizes ? elsewhere : compressedBytes, 20)
  header.writeUInt32LE(wideSizes ? elsewhere : bytes, 24)
  header.writeUInt16LE(entry.name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(ordinaryFile, 38)
  header.writeUInt32LE(Math.min(offset, elsewhere), 42)
  return Buffer.concat([header, entry.name, extra])
}

/** External attributes of a regular file, -rw-r--r--. */
const ordinaryFile = 0o100644 * 0x10000
const noBytes = new Uint8Array(0)

/** Writes flags, method and time, which have the same order in both headers. */
function writeSharedFields(header: Buffer, at: number, entry: Written): void {
  header.writeUInt16LE(zipFlags.utf8 | (entry.described ? zipFlags.descriptor : 0), at)
  header.writeUInt16LE(entry.method, at + 2)
  const { time, date } = dosTime(entry.modifiedAtMs)
  header.writeUInt16LE(time, at + 4)
  header.writeUInt16LE(date, at + 6)
}

/** Converts a time (APPNOTE 4.4.6: local time without a zone, in steps of two seconds). UTC is written, so that a
 *  package does not depend on where it is made. Times before 1980 or after 2107 become the nearest that can be
 *  expressed. */
function dosTime(timeMs: number): { time: number; date: number } {
  const moment = new Date(Math.min(Math.max(timeMs, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31, 23, 59, 58)))
  return {
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date: ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
  }
}

/** Returns a zip64 extra field (header id 1, APPNOTE 4.5.3) with 8-byte values. */
function zip64Extra(values: number[]): Uint8Array {
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(0x0001, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  values.forEach((value, index) => extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index))
  return extra
}

/** Returns the end record of a zip file, preceded by the zip64 records when a number needs them. */
export function endRecords(entries: number, directoryOffset: number, directoryBytes: number): Uint8Array {
  const end = Buffer.alloc(endBytesMin)
  end.writeUInt32LE(zipSignatures.end, 0)
  end.writeUInt16LE(Math.min(entries, elsewhere16), 8)
  end.writeUInt16LE(Math.min(entries, elsewhere16), 10)
  end.writeUInt32LE(Math.min(directoryBytes, elsewhere), 12)
  end.writeUInt32LE(Math.min(directoryOffset, elsewhere), 16)
  if (entries < elsewhere16 && directoryBytes < elsewhere && directoryOffset < elsewhere) return end
  const zip64 = Buffer.alloc(zip64EndBytesMin + zip64LocatorBytes)
  zip64.writeUInt32LE(zipSignatures.zip64End, 0)
  zip64.writeBigUInt64LE(BigInt(zip64EndBytesMin - 12), 4)
  zip64.writeUInt16LE((3 << 8) | 45, 12)
  zip64.writeUInt16LE(45, 14)
  zip64.writeBigUInt64LE(BigInt(entries), 24)
  zip64.writeBigUInt64LE(BigInt(entries), 32)
  zip64.writeBigUInt64LE(BigInt(directoryBytes), 40)
  zip64.writeBigUInt64LE(BigInt(directoryOffset), 48)
  zip64.writeUInt32LE(zipSignatures.zip64Locator, zip64EndBytesMin)
  zip64.writeBigUInt64LE(BigInt(directoryOffset + directoryBytes), zip64EndBytesMin + 8)
  zip64.writeUInt32LE(1, zip64EndBytesMin + 16)
  return Buffer.concat([zip64, end])
}
