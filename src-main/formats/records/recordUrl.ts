/** The URL of a record from the bytes that stand for it in its header. A browser asks for those bytes: where they are not
 *  UTF-8, each becomes its own percent-encoding and not the letter that it might have been. */
import { percentEncodedBytes, utf8Of } from '../bytes/rawText.ts'

/** `latin1`: one character per byte. */
export function recordUrl(latin1: string): { url: string; isUtf8: boolean } {
  // URL Standard, 4.4: tabs and line ends within a URL are removed. In the line of an ARC record, a CR may be one.
  const bytes = latin1.replace(/[\t\r\n]/g, '')
  const text = utf8Of(bytes)
  return { url: text ?? encodedBehindHost(bytes), isUtf8: text !== undefined }
}

/** The host stays as it is: a name server knows no percent-encoding, and read as Latin-1 it may still be a name. */
function encodedBehindHost(bytes: string): string {
  const host = schemeAndHost.exec(bytes)?.[0] ?? ''
  return host + percentEncodedBytes(bytes.slice(host.length))
}

const schemeAndHost = /^<?[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** RFC 3986 has neither blanks nor control characters nor anything beyond ASCII in a URI; ARC files have all of them. The
 *  escapes are those of the bytes that a browser would send. */
export function uriOf(url: string): string {
  const host = schemeAndHost.exec(url)?.[0] ?? ''
  const rest = Buffer.from(url.slice(host.length), 'utf8').toString('latin1')
  return escapedControls(host) + percentEncodedBytes(escapedControls(rest))
}

function escapedControls(text: string): string {
  return text.replace(
    /[^!-~\u0080-\uffff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
