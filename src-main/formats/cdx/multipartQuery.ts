/** Converts a multipart/form-data body (RFC 7578) to a query: each part becomes `name=value`, in order; a file
 *  becomes its escaped bytes. Nested multiparts and transfer encodings of parts are not supported: browsers do not
 *  send them. */
import { plusEscaped } from './queryText.ts'

/** Converts a body. Returns undefined when the type names no boundary or the body does not begin with it; the body
 *  is then folded as binary. Each value is cut to `valueBytesMax` bytes. */
export function multipartQuery(contentType: string, body: Uint8Array, valueBytesMax: number): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;,\s]*))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  if (boundary === '' || !bytes.toString('latin1', 0, boundary.length + 2).startsWith(`--${boundary}`)) return undefined
  // RFC 2046, 5.1.1: the line end before a boundary belongs to it.
  const mark = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const values: string[] = []
  for (let from = mark.length - 2; ;) {
    const end = bytes.indexOf(mark, from)
    const part = partOf(bytes.subarray(from, end < 0 ? bytes.length : end))
    if (part) values.push(`${plusEscaped(part.name)}=${plusEscaped(part.value.subarray(0, valueBytesMax))}`)
    if (end < 0) return values.join('&')
    from = end + mark.length
  }
}

/** Parses a part. `bytes` are those between two boundaries. Returns undefined for the bytes after the last boundary,
 *  and for a part without a name. */
function partOf(bytes: Buffer): { name: string; value: Buffer } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0 || bytes.toString('latin1', 0, 2) !== '\r\n') return undefined
  const head = bytes.toString('utf8', 2, headEnd)
  const [, quoted, plain] = /^content-disposition:[^\r\n]*?;\s*name=(?:"([^"]*)"|([^;\s]*))/im.exec(head) ?? []
  const name = quoted ?? plain
  return name === undefined ? undefined : { name, value: bytes.subarray(headEnd + 4) }
}
