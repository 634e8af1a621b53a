/** Splits chunks of bytes into lines of text, with a maximum length. */

/** One line of text. */
export interface Line {
  /** Number of the line, from 1. */
  number: number
  text: string
  /** True when the line is longer than `lineBytesMax`; `text` is then its beginning. */
  cut: boolean
}

/** Maximum length of a line in bytes: enough for a page with its text, or a capture with the body of its request. */
const lineBytesMax = 4 * 1024 * 1024

const newLine = 10

/** Yields the lines as UTF-8, without line ends (LF or CRLF). Bytes after the last line end are a line, too. At
 *  most `lineBytesMax` bytes are held, however long a line is. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let number = 0
  const line = (): Line => {
    number++
    const bytes = Buffer.concat(held)
    const text = bytes.subarray(0, lineBytesMax).toString('utf8').replace(/\r$/, '')
    const cut = heldBytes > lineBytesMax
    held = []
    heldBytes = 0
    return { number, text, cut }
  }
  const hold = (part: Uint8Array) => {
    // One byte more than the limit, so that a cut line is recognised.
    if (heldBytes <= lineBytesMax) held.push(part.subarray(0, lineBytesMax + 1 - heldBytes))
    heldBytes += part.length
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(newLine); at >= 0; at = chunk.indexOf(newLine, from)) {
      hold(chunk.subarray(from, at))
      yield line()
      from = at + 1
    }
    if (from < chunk.length) hold(chunk.subarray(from))
  }
  if (heldBytes > 0) yield line()
}
