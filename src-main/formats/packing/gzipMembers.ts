/** Gzip members read from a file (RFC 1952), one at a time, with the offset after each: what an index needs and a plain
 *  decompressor does not say. Small members are inflated at once, large and damaged ones as a stream in bounded memory. */
import { constants, crc32, createInflateRaw, inflateRawSync, type InflateRaw } from 'node:zlib'
import { windowBytes, type Window } from '../bytes/fileWindow.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { beforeDamage, beginBytes } from './contentBegin.ts'
import { contentBytesMax, heldMember, type Member } from './member.ts'
import { isPackingError, StreamedMember, type Trailer } from './streamedMember.ts'

/** Most members of a web archive are smaller than this when compressed; so much is loaded before the first try. */
const firstViewBytes = 64 * 1024
/** Several names and extra fields; a longer header is damage. */
const headerBytesMax = 128 * 1024
const trailerBytes = 8

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** The first bytes of every member that deflate packed: there is no other method. */
export const gzipMark = Buffer.from([0x1f, 0x8b, 8])

/** Undefined when no gzip member begins at `offset`. */
export async function openGzipMember(window: Window, offset: number): Promise<Member | undefined> {
  let bytes = await window.view(offset, firstViewBytes)
  let next = nextMark(bytes)
  // No other member in sight: this one is likely to go on after what is loaded.
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

/** Where the next member seems to begin; -1 when nothing looks like one. */
function nextMark(bytes: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(gzipMark, memberBytesMin)
}

/** How the content of a member begins that begins at the start of `bytes`; undefined when there is none. Packed bytes are
 *  taken in steps, because a bomb gives a thousand bytes for each, and only its beginning is wanted. Of a member that is damaged
 *  further on it is what comes before the damage: the same, however many of the bytes after that are given. */
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

/** Length of the member that `bytes` begin with, when it is whole and holds nothing; undefined otherwise. */
export function emptyGzipMemberLength(bytes: Uint8Array): number | undefined {
  const headerBytes = gzipHeaderLength(bytes)
  const inflated = headerBytes === undefined ? undefined : inflatedEmpty(bytes.subarray(headerBytes))
  if (headerBytes === undefined || inflated === undefined) return undefined
  const trailerAt = headerBytes + inflated
  const trailer = bytes.subarray(trailerAt, trailerAt + trailerBytes)
  if (trailer.length < trailerBytes || trailerFindings(trailer, 0, 0, 0).length > 0) return undefined
  return trailerAt + trailerBytes
}

/** How many packed bytes a stream without content takes; undefined when something comes out. A stream that does not end takes
 *  all of the bytes, so no trailer can follow it. */
function inflatedEmpty(packed: Uint8Array): number | undefined {
  const inflated = inflate(packed, chunkBytesMin, 1)
  return inflated?.bytes.length === 0 ? inflated.usedBytes : undefined
}

const beginStepsBytes = [48, 1024, 16 * 1024]

function inflatedBegin(packed: Uint8Array): Buffer | undefined {
  try {
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if (isPackingError(error)) return undefined
    throw error
  }
}

/** RFC 1952, 2.3. Undefined when it is no gzip header, or not all of it is there. */
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

interface Loaded {
  bytes: Uint8Array
  headerBytes: number
  next: number
  offset: number
}

/** Undefined when the member does not end in `bytes`, is large, or is damaged: then the streamed way says which. */
function inflatedAtOnce({ bytes, headerBytes, next, offset }: Loaded): Member | undefined {
  const inflated = inflate(bytes.subarray(headerBytes), contentBytesGuess(bytes, next))
  if (!inflated) return undefined
  const trailerAt = headerBytes + inflated.usedBytes
  if (trailerAt + trailerBytes > bytes.length) return undefined
  const trailer = bytes.subarray(trailerAt, trailerAt + trailerBytes)
  const findings = trailerFindings(trailer, crc32(inflated.bytes), inflated.bytes.length, offset)
  return heldMember(inflated.bytes, trailerAt + trailerBytes, findings)
}

function inflate(
  bytes: Uint8Array,
  chunkSize: number,
  maxOutputLength = contentBytesMax,
): { bytes: Buffer; usedBytes: number } | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength, info: true, chunkSize }
  try {
    // `info` adds the engine, whose count of input bytes is the end of the member (Node documents it; its types do not).
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as { buffer: Buffer; engine: InflateRaw }
    return { bytes: buffer, usedBytes: engine.bytesWritten }
  } catch (error) {
    if (isPackingError(error)) return undefined
    throw error
  }
}

/** A member ends with the size of its content (RFC 1952, 2.3.1), and where the next seems to begin is known: a buffer of just
 *  that size saves zlib from joining many, a third of the time for pages of 20 kB. A wrong guess costs only that. */
function contentBytesGuess(bytes: Uint8Array, next: number): number {
  const sizeAt = (next < 0 ? bytes.length : next) - 4
  if (sizeAt < memberBytesMin - 4) return chunkBytesUsual
  const size = new DataView(bytes.buffer, bytes.byteOffset + sizeAt, 4).getUint32(0, true)
  return size <= Math.min(sizeAt * deflateRatioMax, contentBytesMax) ? size + 64 : chunkBytesUsual
}

/** RFC 1951: 258 bytes by two bits at best. */
export const deflateRatioMax = 1032
const chunkBytesUsual = 32 * 1024
/** The least that zlib takes. */
const chunkBytesMin = 64
/** Ten bytes of header, two of an empty block, eight of trailer. */
export const memberBytesMin = 20

function trailerFindings(trailer: Uint8Array, crc: number, inflatedBytes: number, offset: number): Finding[] {
  const numbers = new DataView(trailer.buffer, trailer.byteOffset, trailerBytes)
  if (numbers.getUint32(0, true) === crc && numbers.getUint32(4, true) === inflatedBytes % 2 ** 32) return []
  return [finding('memberChecksum', 'The checksum of the gzip member does not match its content.', offset)]
}

function inflatedAsStream(window: Window, offset: number, headerBytes: number): Member {
  const createEngine = () => createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 64 * 1024 })
  return new StreamedMember({ window, offset, headerBytes, createEngine, trailer: gzipTrailer(offset) })
}

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
