/** Gzip members to write (RFC 1952). One record is one member, so that an index can point at it (WARC 1.1, annex D).
 *  Deliberately not here: reading members, which needs to survive damage (see warcReader.ts). */
import { gzip, gzipSync } from 'node:zlib'

/** Below this a trip through zlib's thread pool costs more of the event loop than the compression itself. */
const syncBytesMax = 2048

export function gzipMember(chunks: Uint8Array[], level: number): Promise<Uint8Array> {
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  if (bytes.length <= syncBytesMax) return Promise.resolve(gzipSync(bytes, { level }))
  return new Promise((resolve, reject) => {
    gzip(bytes, { level, chunkSize: chunkBytes(bytes.length) }, (error, member) => {
      if (error) reject(error)
      else resolve(member)
    })
  })
}

/** zlib's output buffer: about the size of the result, so that it is neither joined from many nor mostly air. */
function chunkBytes(inputBytes: number): number {
  return Math.min(256 * 1024, Math.max(4096, inputBytes >> 1))
}

/** Bodies that are compressed already do not shrink: level 1 saves four fifths of the time for the same size. */
export function levelFor(mediaType: string, contentEncoding: string | undefined): number {
  if (contentEncoding && !/^\s*identity\s*$/i.test(contentEncoding)) return 1
  return compressed.test(mediaType) ? 1 : 6
}

const compressed =
  /^\s*(image\/(?!svg|bmp|x-ms-bmp|x-icon|vnd\.microsoft\.icon|tiff|x-portable)|video\/|audio\/(?!midi|x-wav|wav)|font\/woff|application\/(font-woff|x-font-woff|zip|gzip|x-gzip|x-bzip2?|x-xz|zstd|x-7z|x-rar|vnd\.rar|java-archive|epub|pdf|vnd\.openxmlformats|vnd\.oasis|x-shockwave-flash|wasm|ogg|mp4))/i
