/** Undoes content codings (RFC 9110, 8.4.1) with bounded output, and tolerates damage: a truncated body gives the
 *  content before its end, and a body that is not coded is returned unchanged. It is synchronous; callers that must
 *  not block run it in a worker thread. */
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
  type ZstdDecompress,
} from 'node:zlib'
import { finding, type Finding } from '../rules/finding.ts'
import { isZstd } from '../packing/zstdFrames.ts'

/** Maximum number of codings: no server applies more, so more is an attack. */
const codingsMax = 4
/** Maximum number of frames in a body. Servers send one; a body of a megabyte could have a hundred thousand, each
 *  decoded by its own call. */
const framesMax = 1000
/** Output that one more byte of input may add; deflate expands at most 1032 times. */
const slackBytes = 1024 * 1024

/** Result of decoding a body. */
export interface Decoded {
  bytes: Uint8Array
  findings: Finding[]
  /** True when the result was cut at `bytesMax`. */
  truncated: boolean
}

/** Decodes a body. `codings` are in the order of the Content-Encoding field, so the last one is undone first. */
export function decodeContent(bytes: Uint8Array, codings: string[], bytesMax: number): Decoded {
  const result: Decoded = { bytes, findings: [], truncated: false }
  const names = codings
    .map((coding) => coding.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > codingsMax) {
    result.findings.push(finding('codingsTooMany', { count: names.length }))
    names.length = 0
  }
  for (const name of names.reverse()) {
    if (result.bytes.length === 0) break
    const decoder = decoders[name]
    if (!decoder) {
      result.findings.push(finding('codingUnknown', { coding: name.slice(0, 60) }))
      break
    }
    if (!undo(result, name, decoder, bytesMax)) break
  }
  if (result.bytes.length > bytesMax) {
    result.bytes = result.bytes.subarray(0, bytesMax)
    result.truncated = true
  }
  return result
}

/** Undoes one coding, with at most `outputBytesMax` of output. `whole`: throw when the content does not end
 *  properly. Throws the errors of Node's zlib. */
type Decoder = (bytes: Uint8Array, outputBytesMax: number, whole: boolean) => Uint8Array

const gunzip: Decoder = (bytes, maxOutputLength, whole) =>
  gunzipSync(bytes, { finishFlush: zlibFlush(whole), maxOutputLength })

/** The codings by their registered names (RFC 9110, 16.6.1). */
const decoders: Record<string, Decoder> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // RFC 9110, 8.4.1.2: deflate is the zlib format; some servers send it without the zlib header.
  deflate: (bytes, maxOutputLength, whole) =>
    (hasZlibHeader(bytes) ? inflateSync : inflateRawSync)(bytes, { finishFlush: zlibFlush(whole), maxOutputLength }),
  br: (bytes, maxOutputLength, whole) =>
    brotliDecompressSync(bytes, {
      finishFlush: whole ? constants.BROTLI_OPERATION_FINISH : constants.BROTLI_OPERATION_FLUSH,
      maxOutputLength,
    }),
  zstd: unpackFrames,
}

/** Decodes all frames of a body: consecutive frames are one content (RFC 8878, 3.1), like members of gzip, and some
 *  are skippable. Node stops after the first. Bytes that follow and are no frame are dropped, as in browsers. */
function unpackFrames(bytes: Uint8Array, outputBytesMax: number, whole: boolean): Uint8Array {
  const finishFlush = whole ? constants.ZSTD_e_end : constants.ZSTD_e_flush
  const parts: Uint8Array[] = []
  let rest = bytes
  let room = outputBytesMax
  do {
    // `info` adds the engine, which counts its input bytes (documented by Node, missing in its types).
    const options = { finishFlush, maxOutputLength: Math.max(1, room), info: true }
    const unpacked = zstdDecompressSync(rest, options) as unknown as { buffer: Buffer; engine: ZstdDecompress }
    parts.push(unpacked.buffer)
    room -= unpacked.buffer.length
    if (unpacked.engine.bytesWritten === 0) break
    rest = rest.subarray(unpacked.engine.bytesWritten)
  } while (isZstd(rest) && parts.length < framesMax)
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

function zlibFlush(whole: boolean): number {
  return whole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH
}

/** Whether the bytes begin with the two bytes of a zlib stream (RFC 1950, 2.2): the method, and a checksum over
 *  both. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 15) === 8 && (method * 256 + flags) % 31 === 0
}

/** Undoes one coding. Returns false when the bytes were not coded in this way at all. */
function undo(result: Decoded, name: string, decoder: Decoder, bytesMax: number): boolean {
  const whole = attempt(decoder, result.bytes, bytesMax, true)
  if (whole instanceof Uint8Array) {
    result.bytes = whole
    return true
  }
  const torn = whole === 'damaged' ? attempt(decoder, result.bytes, bytesMax, false) : whole
  if (torn instanceof Uint8Array && torn.length > 0) {
    result.findings.push(finding('contentTorn', { coding: name, bytes: torn.length }))
    result.bytes = torn
    return true
  }
  const part = longestPart(decoder, result.bytes, bytesMax)
  if (torn === 'tooLarge') {
    result.truncated = true
    result.findings.push(finding('contentTooLarge', { bytesMax }))
  } else if (part.length > 0) {
    result.findings.push(finding('contentDamaged', { coding: name, bytes: part.length }))
  } else {
    result.findings.push(finding('notCoded', { coding: name }))
    return false
  }
  result.bytes = part.subarray(0, bytesMax)
  return true
}

/** Returns the longest content that can be decoded. zlib returns nothing on an error, so the longest valid beginning
 *  is found by bisection: some twenty attempts, and only for content that is damaged or too large. */
function longestPart(decoder: Decoder, bytes: Uint8Array, bytesMax: number): Uint8Array {
  let best: Uint8Array = new Uint8Array(0)
  let low = 0
  let high = bytes.length
  while (high - low > 1 && best.length < bytesMax) {
    const middle = (low + high) >> 1
    const part = attempt(decoder, bytes.subarray(0, middle), bytesMax + slackBytes, false)
    if (part instanceof Uint8Array) {
      best = part
      low = middle
    } else high = middle
  }
  return best
}

/** Runs a decoder. `tooLarge`: the output exceeds its limit; `damaged`: the bytes cannot be decoded. */
function attempt(
  decoder: Decoder,
  bytes: Uint8Array,
  outputBytesMax: number,
  whole: boolean,
): Uint8Array | 'tooLarge' | 'damaged' {
  try {
    return decoder(bytes, Math.max(1, outputBytesMax), whole)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'tooLarge'
    if (/^(Z_|ERR_|ZSTD_)/.test(code)) return 'damaged'
    throw error
  }
}
