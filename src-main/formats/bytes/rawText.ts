/** Text in an unknown character encoding, held as bytes: one character per byte, as in Latin-1. */

const beyondAscii = /[\x80-\xff]/

/** Decodes the bytes as UTF-8; returns undefined when they are invalid. */
export function utf8Of(latin1: string): string | undefined {
  if (!beyondAscii.test(latin1)) return latin1
  const text = Buffer.from(latin1, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? undefined : text
}

/** Percent-encodes each byte outside of ASCII (RFC 3986, 2.1), as Chromium does in requests: the bytes are the same
 *  in every charset. */
export function percentEncodedBytes(latin1: string): string {
  return latin1.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Returns text with one character per byte, unlike TextDecoder's latin1, which is windows-1252. */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}
