/** Splits the header of a WARC record into lines, so that single fields can be changed while all others are
 *  unchanged byte by byte. The changes are made in writableHeader.ts. */

/** A named field of a header, kept as it was written. */
export interface FieldLine {
  /** Name in lower case. */
  name: string
  /** The line as in the header, one character per byte, without its line end; a folded value contains CR LF. */
  text: string
}

/** A header, split into lines. */
export interface HeaderLines {
  /** First line, without its line end. */
  version: string
  fields: FieldLine[]
  /** Lines that are not fields by WARC 1.1, 4, and must not be written to a new file. */
  odd: string[]
  /** True when every line ends with CR LF and the header with a blank line. */
  isWellEnded: boolean
}

const LF = 0x0a

/** Splits a header, given with its blank line. */
export function headerLines(header: Uint8Array): HeaderLines {
  const [version = '', ...lines] = physicalLines(header)
  const fields: FieldLine[] = []
  const odd: string[] = []
  /** Field that a folded line continues; undefined after a line that is not a field. */
  let last: FieldLine | undefined
  for (const line of lines) {
    if (line === '') continue
    const isFolded = /^[ \t]/.test(line) && last !== undefined
    const isOdd = controls.test(line)
    if (isFolded && !isOdd && last) {
      last.text += `\r\n${line}`
      continue
    }
    last = isOdd ? undefined : fieldOf(line)
    if (last) fields.push(last)
    else odd.push(line)
  }
  return { version, fields, odd, isWellEnded: isWellEnded(header) }
}

/** Returns the bytes of a header, with its blank line. */
export function headerBytes({ version, fields }: Pick<HeaderLines, 'version' | 'fields'>): Uint8Array {
  return Buffer.from(`${[version, ...fields.map(({ text }) => text)].join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Creates a field line. */
export function newLine(name: string, value: string): FieldLine {
  return { name: name.toLowerCase(), text: `${name}: ${value}` }
}

/** Returns the value as a reader sees it, on one line. */
export function valueOf({ text }: FieldLine): string {
  return text
    .slice(text.indexOf(':') + 1)
    .split('\r\n')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ')
}

/** Splits a header at line feeds. Folded fields are still several lines. */
function physicalLines(header: Uint8Array): string[] {
  const lines: string[] = []
  let from = 0
  while (from < header.length) {
    const found = header.indexOf(LF, from)
    const end = found < 0 ? header.length : found
    lines.push(withoutReturns(Buffer.from(header.subarray(from, end)).toString('latin1')))
    from = end + 1
  }
  return lines
}

/** Removes CRs at the end. A regular expression would take quadratic time for a line of CRs. */
function withoutReturns(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === '\r') end--
  return line.slice(0, end)
}

/** Matches control characters except the tab. Readers take some of them for line ends, and a NUL for the end of the
 *  header. */
const controls = /[^\t -~\x80-\xff]/

/** Parses a field: a token directly followed by a colon (WARC 1.1, 4). Some writers put blanks between them, which
 *  are removed. */
function fieldOf(line: string): FieldLine | undefined {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).trim()
  if (!token.test(name)) return undefined
  return { name: name.toLowerCase(), text: line.startsWith(`${name}:`) ? line : `${name}:${line.slice(colon + 1)}` }
}

/** Name of a field: a token of RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/

/** Returns true when every line ends with exactly one CR LF and an empty line ends the header. */
function isWellEnded(header: Uint8Array): boolean {
  const text = Buffer.from(header.buffer, header.byteOffset, header.length).toString('latin1')
  const ends = text.split('\n').slice(0, -1)
  return text.endsWith('\r\n\r\n') && ends.every((line) => line.endsWith('\r') && !line.endsWith('\r\r'))
}
