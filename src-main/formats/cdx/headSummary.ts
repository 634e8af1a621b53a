/** Reads the three values of an archived HTTP head that an index needs, in one pass and without the findings of
 *  `parseResponseHead`, which is used when anything in the head is unusual. Both return the same values for every
 *  head. */
import { fieldOf, headEnd, listOf, parseResponseHead } from '../http/http.ts'

/** The values of a response's head that an index needs. */
export interface HeadSummary {
  status: number
  /** Value of the field as written in the head. */
  contentType: string | undefined
  /** True when the last transfer coding is `chunked`. */
  chunked: boolean
  /** Length of the head in bytes, including its blank line and preceding interim responses. */
  bytes: number
}

/** Reads a response's head. Returns undefined when the bytes do not begin with a status line, and `more` when the
 *  head does not end in them and more may follow. Interim responses (1xx) are skipped: the final one counts (RFC
 *  9110, 15.2). */
export function responseSummary(bytes: Uint8Array, mayGoOn: boolean): HeadSummary | 'more' | undefined {
  for (let skippedBytes = 0; ;) {
    const rest = skippedBytes === 0 ? bytes : bytes.subarray(skippedBytes)
    const summary = usualHead(rest) ?? anyHead(rest, mayGoOn)
    if (summary === undefined || summary === 'more') return summary
    summary.bytes += skippedBytes
    const interim = summary.status >= 100 && summary.status < 200 && summary.status !== 101
    if (!interim || (summary.bytes === bytes.length && !mayGoOn)) return summary
    skippedBytes = summary.bytes
  }
}

/** Reads any head, by the full parser. */
function anyHead(bytes: Uint8Array, mayGoOn: boolean): HeadSummary | 'more' | undefined {
  if (mayGoOn && headEnd(bytes, 0) < 0) return 'more'
  const head = parseResponseHead(bytes)?.head
  if (!head) return undefined
  const chunked = listOf(head, 'transfer-encoding').at(-1) === 'chunked'
  return { status: head.status, contentType: fieldOf(head, 'content-type'), chunked, bytes: head.bytes }
}

const blankLine = Buffer.from('\r\n\r\n')
const usualStatusLine = /^HTTP\/1\.[01] (\d{3})(?: [^\r\n]*)?\r\n/
const TAB = 9
const CR = 13
const BLANK = 32

/** Reads a head without irregularities. Returns undefined for any other (folded lines, lone LF, blanks before a
 *  colon), which `anyHead` reads. */
function usualHead(bytes: Uint8Array): HeadSummary | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = buffer.indexOf(blankLine)
  if (end < 0) return undefined
  const text = buffer.toString('latin1', 0, end + 2)
  const status = usualStatusLine.exec(text)?.[1]
  if (status === undefined) return undefined
  let contentType: string | undefined
  let chunked = false
  for (let at = 0; at < text.length;) {
    const lineEnd = text.indexOf('\n', at)
    if (text.charCodeAt(lineEnd - 1) !== CR) return undefined
    const first = text.charCodeAt(at)
    if (first === BLANK || first === TAB || (first === CR && at > 0)) return undefined
    // Only fields that begin with c or t are of interest.
    if ((first | 0x20) === 0x63 || (first | 0x20) === 0x74) {
      const colon = text.indexOf(':', at)
      if (colon < 0 || colon > lineEnd) return undefined
      const name = text.slice(at, colon).toLowerCase()
      if (name === 'content-type') contentType ??= text.slice(colon + 1, lineEnd).trim()
      else if (name === 'transfer-encoding') {
        const coding = text
          .slice(colon + 1, lineEnd)
          .trim()
          .toLowerCase()
        if (coding !== 'chunked' || chunked) return undefined
        chunked = true
      } else if (name.trim() !== name) return undefined
    }
    at = lineEnd + 1
  }
  return { status: Number(status), contentType, chunked, bytes: end + 4 }
}
