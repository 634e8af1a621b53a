/** Text in an unknown character encoding, held as its bytes: one character per byte, as Latin-1 has it. */

const beyondAscii = /[\x80-\xff]/

/** The text that the bytes are as UTF-8; undefined when they are not. */
export function utf8Of(latin1: string): string | undefined {
  if (!beyondAscii.test(latin1)) return latin1
  const text = Buffer.from(latin1, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? undefined : text
}

/** Each byte beyond ASCII as its percent-encoding (RFC 3986, 2.1): what Chromium asks for, and the same bytes in every charset. */
export function percentEncodedBytes(latin1: string): string {
  return latin1.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
