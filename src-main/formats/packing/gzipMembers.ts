/** Reads gzip members of a file (RFC 1952) one at a time, and reports where each one ends: an index needs this
 *  offset, and a plain decompressor does not give it. Small members are inflated at once, large and damaged ones as a
 *  stream in bounded memory.
 *
 *  A member is (RFC 1952, 2.3)
 *
 *     1f 8b 08    magic number, and the method deflate
 *     1           flags: 2 header CRC, 4 extra field, 8 name, 16 comment
 *     4 1 1       time, extra flags, operating system
 *     …           the fields that the flags announce
 *     …           deflated content
 *     4           CRC-32 of the content, little-endian
 *     4           length of the content modulo 2^32, little-endian */
import { constants, crc32, createInflateRaw, inflateRawSync, type InflateRaw } from 'node:zlib'
import { windowBytes, type Window } from '../bytes/fileWindow.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { beforeDamage, beginBytes } from './contentBegin.ts'
import { contentBytesMax, heldMember, type Member } from './member.ts'
import { isPackingError, StreamedMember, type Trailer } from './streamedMember.ts'

/** Bytes loaded before the first attempt to inflate. Most members of a web archive are smaller when compressed. */
const firstViewBytes = 64 * 1024
/** Maximum length of a member's header, enough for several names and extra fields. A longer header is treated as
 *  damage. */
const headerBytesMax = 128 * 1024
/** Length of the CRC-32 and the length after the content. */
const trailerBytes = 8

/** Returns true when `bytes` begin with the magic number of gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** First bytes of every member: the magic number and the method deflate, the only one that exists (RFC 1952, 2.3.1). */
export const gzipMark = Buffer.from([0x1f, 0x8b, 8])

/** Opens the member at `offset`. Returns undefined when no gzip member begins there. */
export async function openGzipMember(window: Window, offset: number): Promise<Member | undefined> {
  let bytes = await window.view(offset, firstViewBytes)
  let next = nextMark(bytes)
  // No other member is in sight: this one probably continues beyond the loaded bytes.
  if (next < 0 && bytes.length >= firstViewBytes && bytes.length < windowBytes) {
    bytes = await window.view(offset, windowBytes)
    next = nextMark(bytes)
  }
  let headerBytes = gzipHeaderLength(bytes)
  if (headerBytes === undefined && bytes.length > 10)
    headerBytes = gzipHeaderLength(await window.view(offset, headerBytesMax))
  if (headerBytes === undefined) return undefined
  return inflatedAtOnce({ bytes, headerBytes, next, offset }) ?? inflatedAsStream(window, offset, headerBytes)
}

/** Returns the position in `bytes` at which the next member seems to begin, or -1. */
function nextMark(bytes: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(gzipMark, memberBytesMin)
}

/** Returns the beginning of the content of the member at the start of `bytes`, or undefined when there is none.
 *  Packed bytes are unpacked in steps, because a decompression bomb yields a thousand bytes for each and only the
 *  beginning is needed. For a member that is damaged further on, the result is the content before the damage,
 *  independent of how many bytes after the damage are given. */
export function gzipContentBegin(bytes: Uint8Array): Buffer | undefined {
  const headerBytes = gzipHeaderLength(bytes)
  if (headerBytes === undefined) return undefined
  const packed = bytes.subarray(headerBytes)
  let content: Buffer | undefined
  let goodBytes = 0
  for (const stepBytes of beginStepsBytes) {
    const more = inflatedBegin(packed.subarray(0, stepBytes))
    if (more === undefined) return beforeDamage(packed, { goodBytes, badBytes: stepBytes }, inflatedBegin) ?? content
    content = more
    goodBytes = stepBytes
    if (content.length >= beginBytes) break
  }
  return content
}

/** Returns the length of the member at the start of `bytes` when it is complete and has no content; otherwise
 *  undefined. */
export function emptyGzipMemberLength(bytes: Uint8Array): number | undefined {
  const headerBytes = gzipHeaderLength(bytes)
  const inflated = headerBytes === undefined ? undefined : inflatedEmpty(bytes.subarray(headerBytes))
  if (headerBytes === undefined || inflated === undefined) return undefined
  const trailerAt = headerBytes + inflated
  const trailer = bytes.subarray(trailerAt, trailerAt + trailerBytes)
  if (trailer.length < trailerBytes || trailerFindings(trailer, 0, 0, 0).length > 0) return undefined
  return trailerAt + trailerBytes
}

/** Returns the number of packed bytes in a stream without content; undefined when it has content. A stream that does
 *  not end uses all of the bytes, so no trailer can follow it. */
function inflatedEmpty(packed: Uint8Array): number | undefined {
  const inflated = inflate(packed, chunkBytesMin, 1)
  return inflated?.bytes.length === 0 ? inflated.usedBytes : undefined
}

/** Packed bytes that are inflated in each step to see the beginning of a member. */
const beginStepsBytes = [48, 1024, 16 * 1024]

function inflatedBegin(packed: Uint8Array): Buffer | undefined {
  try {
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if (isPackingError(error)) return undefined
    throw error
  }
}

/** Returns the length of the header of a member (RFC 1952, 2.3); undefined when it is no gzip header or is not
 *  complete. */
function gzipHeaderLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < 10 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined
  const flags = bytes[3] ?? 0
  if (flags > 31) return undefined
  let at = 10
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  for (const zeroEnded of [flags & 8, flags & 16]) {
    if (!zeroEnded) continue
    const zero = bytes.indexOf(0, at)
    if (zero < 0) return undefined
    at = zero + 1
  }
  if (flags & 2) at += 2
  return at <= bytes.length ? at : undefined
}

/** A member whose first bytes are loaded. `next` is the position at which the next one seems to begin, or -1. */
interface Loaded {
  bytes: Uint8Array
  headerBytes: number
  next: number
  offset: number
}

/** Inflates a small member completely. Returns undefined when the member does not end in `bytes`, is large, or is
 *  damaged; reading it as a stream then tells these cases apart. */
function inflatedAtOnce({ bytes, headerBytes, next, offset }: Loaded): Member | undefined {
  const inflated = inflate(bytes.subarray(headerBytes), contentBytesGuess(bytes, next))
  if (!inflated) return undefined
  const trailerAt = headerBytes + inflated.usedBytes
  if (trailerAt + trailerBytes > bytes.length) return undefined
  const trailer = bytes.subarray(trailerAt, trailerAt + trailerBytes)
  const findings = trailerFindings(trailer, crc32(inflated.bytes), inflated.bytes.length, offset)
  return heldMember(inflated.bytes, trailerAt + trailerBytes, findings)
}

/** Inflates raw deflate data. Returns undefined when it is damaged or its content exceeds `maxOutputLength`. */
function inflate(
  bytes: Uint8Array,
  chunkSize: number,
  maxOutputLength = contentBytesMax,
): { bytes: Buffer; usedBytes: number } | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength, info: true, chunkSize }
  try {
    // `info` adds the engine, whose count of input bytes is the end of the member (documented by Node, missing in its
    // types).
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as { buffer: Buffer; engine: InflateRaw }
    return { bytes: buffer, usedBytes: engine.bytesWritten }
  } catch (error) {
    if (isPackingError(error)) return undefined
    throw error
  }
}

/** Returns a buffer size for zlib. A member ends with the size of its content (RFC 1952, 2.3.1), and the beginning
 *  of the next member is known approximately: a buffer of exactly that size saves zlib from joining many, a third of
 *  the time for pages of 20 kB. A wrong guess costs no more than that. */
function contentBytesGuess(bytes: Uint8Array, next: number): number {
  const sizeAt = (next < 0 ? bytes.length : next) - 4
  if (sizeAt < memberBytesMin - 4) return chunkBytesUsual
  const size = new DataView(bytes.buffer, bytes.byteOffset + sizeAt, 4).getUint32(0, true)
  return size <= Math.min(sizeAt * deflateRatioMax, contentBytesMax) ? size + 64 : chunkBytesUsual
}

/** Maximum ratio of content to packed bytes (RFC 1951): at best, two bits encode 258 bytes. */
export const deflateRatioMax = 1032
/** Size of zlib's buffer where the size of the content is unknown. */
const chunkBytesUsual = 32 * 1024
/** Smallest buffer that zlib accepts, in bytes. */
const chunkBytesMin = 64
/** Minimum length of a member: ten bytes of header, two of an empty block, eight of trailer. */
export const memberBytesMin = 20

/** Compares the trailer with the CRC-32 and the length (modulo 2^32) of the content (RFC 1952, 2.3.1). */
function trailerFindings(trailer: Uint8Array, crc: number, inflatedBytes: number, offset: number): Finding[] {
  const numbers = new DataView(trailer.buffer, trailer.byteOffset, trailerBytes)
  if (numbers.getUint32(0, true) === crc && numbers.getUint32(4, true) === inflatedBytes % 2 ** 32) return []
  return [finding('memberChecksum', offset)]
}

function inflatedAsStream(window: Window, offset: number, headerBytes: number): Member {
  const createEngine = () => createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 64 * 1024 })
  return new StreamedMember({ window, offset, headerBytes, createEngine, trailer: gzipTrailer(offset) })
}

/** The trailer of a member that is read as a stream. */
function gzipTrailer(offset: number): Trailer {
  let crc = 0
  let inflatedBytes = 0
  return {
    bytes: trailerBytes,
    update(content) {
      crc = crc32(content, crc)
      inflatedBytes += content.length
    },
    findings: (trailer) => trailerFindings(trailer, crc, inflatedBytes, offset),
  }
}
