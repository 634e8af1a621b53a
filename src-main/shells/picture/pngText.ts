/** Text in a PNG, as international text chunks (iTXt, PNG third edition, 11.3.3.4): it is part of the file, and no
 *  pixel changes.
 *
 *  A chunk is
 *
 *     4  length of the data, big-endian
 *     4  type, such as `iTXt`
 *     n  data
 *     4  CRC-32 of type and data
 *
 *  and the data of iTXt is: keyword, 0, compression flag, compression method, language tag, 0, translated keyword, 0,
 *  text in UTF-8. */
import { crc32 } from 'node:zlib'

/** End of the signature and of IHDR, which is always first and has 13 bytes of data (5.2, 11.2.1). */
const headerEnd = 8 + 12 + 13

/** Adds text chunks. `texts` maps keyword to text. Keywords are Latin-1 of at most 79 characters. */
export function withText(png: Uint8Array, texts: Readonly<Record<string, string>>): Buffer {
  const chunks = Object.entries(texts).map(([keyword, text]) => textChunk(keyword, text))
  return Buffer.concat([png.subarray(0, headerEnd), ...chunks, png.subarray(headerEnd)])
}

function textChunk(keyword: string, text: string): Buffer {
  // Five zeros: the end of the keyword, not compressed, compression method 0, and two empty texts (language,
  // translated keyword).
  const head = Buffer.concat([Buffer.from(keyword, 'latin1'), Buffer.alloc(5)])
  const body = Buffer.concat([Buffer.from('iTXt'), head, Buffer.from(text)])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
