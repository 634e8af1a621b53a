/** Reads Zstandard frames of a file (RFC 8878). A `.warc.zst` file may begin with a skippable frame that holds the
 *  dictionary for all other frames (IIPC, "Zstandard Compression for WARC Files" 1.0), compressed or not.
 *
 *     28 b5 2f fd   magic number of a frame with content; its blocks follow, and perhaps a checksum
 *     5? 2a 4d 18   magic number of a skippable frame, 50 to 5f; `5d` for the dictionary
 *     4             length of its content, little-endian
 *     …             its content */
import { constants, createZstdDecompress, zstdDecompressSync, type ZstdDecompress } from 'node:zlib'
import { windowBytes, type Window } from '../bytes/fileWindow.ts'
import { finding } from '../rules/finding.ts'
import { beforeDamage } from './contentBegin.ts'
import { contentBytesMax, heldMember, type Member } from './member.ts'
import { isPackingError, StreamedMember } from './streamedMember.ts'

const frameMagic = 0xfd2fb528
const dictionaryFrameMagic = 0x184d2a5d
/** Maximum size of a dictionary, as the specification requires. */
const dictionaryBytesMax = 128 * 1024 * 1024
/** Length of the magic number and the size field of a skippable frame (RFC 8878, 3.1.2). */
const skippableHeaderBytes = 8
/** Bytes loaded before the first attempt to unpack. Most frames of a web archive are smaller. */
const firstViewBytes = 64 * 1024
/** Maximum window size as a logarithm. Decoders may refuse larger windows (RFC 8878, 3.1.1.1.2). `zstd --long` uses
 *  at most 128 MiB. */
const windowLogMax = 27

/** First bytes of a frame with content. */
export const zstdMark = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Returns true when `bytes` begin with a frame of either kind. */
export function isZstd(bytes: Uint8Array): boolean {
  return magicOf(bytes) === frameMagic || isSkippableFrame(bytes)
}

/** Returns true when `bytes` begin with the skippable frame of a dictionary. */
export function isDictionaryFrame(bytes: Uint8Array): boolean {
  return magicOf(bytes) === dictionaryFrameMagic
}

/** Returns true when `bytes` begin with a skippable frame (RFC 8878, 3.1.2). */
export function isSkippableFrame(bytes: Uint8Array): boolean {
  const magic = magicOf(bytes)
  return magic >= 0x184d2a50 && magic <= 0x184d2a5f
}

/** The magic number, little-endian; 0 when there are too few bytes. */
function magicOf(bytes: Uint8Array): number {
  return bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true)
}

/** Returns the dictionary at the start of a file; undefined when there is none or it cannot be read. */
export async function zstdDictionary(window: Window): Promise<Uint8Array | undefined> {
  const start = await window.view(0, skippableHeaderBytes)
  if (start.length < skippableHeaderBytes || !isDictionaryFrame(start)) return undefined
  const length = skippableLength(start)
  if (length > skippableHeaderBytes + dictionaryBytesMax) return undefined
  // Memory is not reserved for bytes that the file does not have.
  if ((await window.view(length - 1, 1)).length === 0) return undefined
  const dictionary = (await window.view(0, length)).subarray(skippableHeaderBytes, length)
  if (!isZstd(dictionary)) return Uint8Array.from(dictionary)
  try {
    return zstdDecompressSync(dictionary, { maxOutputLength: dictionaryBytesMax })
  } catch (error) {
    if (isPackingError(error)) return undefined
    throw error
  }
}

/** Opens the frame at `offset`. Returns undefined when no frame begins there. A skippable frame is a member without
 *  content. */
export async function openZstdFrame(
  window: Window,
  offset: number,
  dictionary: Uint8Array | undefined,
): Promise<Member | undefined> {
  const first = await window.view(offset, firstViewBytes)
  if (isSkippableFrame(first)) return skippableFrame(window, offset, first)
  if (magicOf(first) !== frameMagic) return undefined
  const small = unpackedAtOnce(first, dictionary)
  if (small) return small
  const second = first.length < windowBytes ? await window.view(offset, windowBytes) : first
  const larger = second.length > first.length ? unpackedAtOnce(second, dictionary) : undefined
  return larger ?? new StreamedMember({ window, offset, headerBytes: 0, createEngine: () => zstdEngine(dictionary) })
}

/** Returns the beginning of the content of the frame at the start of `bytes`, or undefined when there is none. For a
 *  damaged frame, the result is the content of the blocks before the damage. */
export function zstdContentBegin(bytes: Uint8Array, dictionary: Uint8Array | undefined): Buffer | undefined {
  if (magicOf(bytes) !== frameMagic) return undefined
  const options = { ...withDictionary(dictionary), finishFlush: constants.ZSTD_e_flush }
  const unpack = (packed: Uint8Array): Buffer | undefined => {
    try {
      return zstdDecompressSync(packed, options)
    } catch (error) {
      if (isPackingError(error)) return undefined
      throw error
    }
  }
  return unpack(bytes) ?? beforeDamage(bytes, { goodBytes: 4, badBytes: bytes.length }, unpack)
}

/** Returns the length of the frame at the start of `bytes` when it has no content: a skippable frame, which need not
 *  be complete in `bytes`, or an empty frame that is complete. Otherwise returns undefined. */
export function emptyZstdFrameLength(bytes: Uint8Array): number | undefined {
  if (isSkippableFrame(bytes) && bytes.length >= skippableHeaderBytes) return skippableLength(bytes)
  if (magicOf(bytes) !== frameMagic) return undefined
  const unpacked = unpackedAtOnce(bytes, undefined, 1)
  return unpacked?.content?.length === 0 ? unpacked.length : undefined
}

/** Returns the length of a skippable frame with its header, as the header states it. */
function skippableLength(bytes: Uint8Array): number {
  return skippableHeaderBytes + new DataView(bytes.buffer, bytes.byteOffset, skippableHeaderBytes).getUint32(4, true)
}

/** Opens a skippable frame, which is torn when the file ends before it does. */
async function skippableFrame(window: Window, offset: number, first: Uint8Array): Promise<Member | undefined> {
  if (first.length < skippableHeaderBytes) return undefined
  const length = skippableLength(first)
  const last = await window.view(offset + length - 1, 1)
  if (last.length > 0) return heldMember(new Uint8Array(0), length, [])
  // Only the header certainly belongs to the frame: the bytes after it are searched for records, however many are
  // loaded.
  return heldMember(new Uint8Array(0), skippableHeaderBytes, [finding('memberTorn.zstd', offset)])
}

/** Unpacks a small frame completely. Returns undefined when the frame does not end in `bytes`, is large, or is
 *  damaged; reading it as a stream then tells these cases apart. */
function unpackedAtOnce(
  bytes: Uint8Array,
  dictionary: Uint8Array | undefined,
  maxOutputLength = contentBytesMax,
): Member | undefined {
  const options = { ...withDictionary(dictionary), maxOutputLength, info: true }
  try {
    const { buffer, engine } = zstdDecompressSync(bytes, options) as unknown as {
      buffer: Buffer
      engine: ZstdDecompress
    }
    return heldMember(buffer, engine.bytesWritten, [])
  } catch (error) {
    if (isPackingError(error)) return undefined
    throw error
  }
}

function zstdEngine(dictionary: Uint8Array | undefined): ZstdDecompress {
  return createZstdDecompress({ ...withDictionary(dictionary), chunkSize: 64 * 1024 })
}

/** Options of both decompressors. */
function withDictionary(dictionary: Uint8Array | undefined) {
  const params = { [constants.ZSTD_d_windowLogMax]: windowLogMax }
  return dictionary ? { params, dictionary } : { params }
}
