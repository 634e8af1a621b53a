/** Gzip members to write (RFC 1952). One record is one member, so that an index can point at it (WARC 1.1, annex D).
 *  Deliberately not here: reading members, which needs to survive damage (see readRecords.ts). */
import { gzip, gzipSync } from 'node:zlib'

/** Below this a trip through zlib's thread pool costs more of the event loop than the compression itself: a trip takes some
 *  0.1 ms of it, and twice that of the machine. */
const syncBytesMax = 8192
/** A request or a metadata record. */
const smallBytesMax = 2048
/** deflate clears its tables for every member: 24 kB for a window that holds the whole input, instead of 256. Half the time
 *  for the same bytes (665 in, 431 out). */
const smallTables = { windowBits: 11, memLevel: 5, chunkSize: 2048 }

export function gzipMember(chunks: Uint8Array[], level: number): Promise<Uint8Array> {
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  if (bytes.length <= smallBytesMax) return Promise.resolve(gzipSync(bytes, { level, ...smallTables }))
  const chunkSize = chunkBytes(bytes.length, level)
  if (bytes.length <= syncBytesMax) return Promise.resolve(gzipSync(bytes, { level, chunkSize }))
  return new Promise((resolve, reject) => {
    gzip(bytes, { level, chunkSize }, (error, member) => {
      if (error) reject(error)
      else resolve(member)
    })
  })
}

/** zlib's output buffer: about the size of the result, so that it is neither joined from many, each a trip of its own through
 *  the thread pool, nor mostly air. At level 1 is what does not shrink. */
function chunkBytes(inputBytes: number, level: number): number {
  return Math.min(256 * 1024, Math.max(4096, level === 1 ? inputBytes + 512 : inputBytes >> 1))
}

/** Bodies that are compressed already do not shrink: level 1 saves four fifths of the time for the same size. */
export function levelFor(mediaType: string, contentEncoding: string | undefined): number {
  if (contentEncoding && !/^\s*identity\s*$/i.test(contentEncoding)) return 1
  return compressed.test(mediaType) ? 1 : 6
}

const compressed =
  /^\s*(image\/(?!svg|bmp|x-ms-bmp|x-icon|vnd\.microsoft\.icon|tiff|x-portable)|video\/|audio\/(?!midi|x-wav|wav)|font\/woff|application\/(font-woff|x-font-woff|zip|gzip|x-gzip|x-bzip2?|x-xz|zstd|x-7z|x-rar|vnd\.rar|java-archive|epub|pdf|vnd\.openxmlformats|vnd\.oasis|x-shockwave-flash|wasm|ogg|mp4))/i
