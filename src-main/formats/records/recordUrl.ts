/** Decodes the URL in a record's header. A browser requests its bytes: when they are not UTF-8, each byte becomes
 *  its own percent-encoding rather than the character that it might represent. */
import { percentEncodedBytes, utf8Of } from '../bytes/rawText.ts'

/** Returns the URL of a header value. `latin1` has one character per byte. */
export function recordUrl(latin1: string): { url: string; isUtf8: boolean } {
  // URL Standard, 4.4: tabs and line ends within a URL are removed. The line of an ARC record may contain a CR.
  const bytes = latin1.replace(/[\t\r\n]/g, '')
  const text = utf8Of(bytes)
  return { url: text ?? encodedAfterHost(bytes), isUtf8: text !== undefined }
}

/** Percent-encodes everything after the host. The host is left alone: DNS has no percent-encoding, and the host read
 *  as Latin-1 may still be a valid name. */
function encodedAfterHost(bytes: string): string {
  const host = schemeAndHost.exec(bytes)?.[0] ?? ''
  return host + percentEncodedBytes(bytes.slice(host.length))
}

/** Matches the beginning of a URL up to its path. */
const schemeAndHost = /^<?[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** Returns a valid URI for a URL: RFC 3986 allows no blanks, control characters or characters outside ASCII, all of
 *  which occur in ARC files. The escapes are those of the bytes that a browser would send. */
export function uriOf(url: string): string {
  const host = schemeAndHost.exec(url)?.[0] ?? ''
  const rest = Buffer.from(url.slice(host.length), 'utf8').toString('latin1')
  return escapedControls(host) + percentEncodedBytes(escapedControls(rest))
}

/** Percent-encodes blanks and control characters. */
function escapedControls(text: string): string {
  return text.replace(
    /[^!-~\u0080-\uffff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
