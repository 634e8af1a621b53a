/** The header of a WARC record line by line, so that single fields can be changed and all others stay as they are, byte by
 *  byte. Deliberately not here: what is changed, and why (writableHeader.ts). */

export interface FieldLine {
  /** In lower case. */
  name: string
  /** As it stands in the header, one character per byte, without its line end; a folded value has CR LF in it. */
  text: string
}

export interface HeaderLines {
  /** The first line, without its line end. */
  version: string
  fields: FieldLine[]
  /** Lines that are no fields as WARC 1.1, 4 writes them, and so cannot stand in a new file. */
  odd: string[]
  /** Every line ends with CR LF, and the header with a blank one. */
  isWellEnded: boolean
}

const LF = 0x0a

/** `header`: with its blank line. */
export function headerLines(header: Uint8Array): HeaderLines {
  const [version = '', ...lines] = physicalLines(header)
  const fields: FieldLine[] = []
  const odd: string[] = []
  /** What a folded line goes on with: a field, or nothing where it follows a line that is none. */
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

export function headerBytes({ version, fields }: Pick<HeaderLines, 'version' | 'fields'>): Uint8Array {
  return Buffer.from(`${[version, ...fields.map(({ text }) => text)].join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Of a line that is written now. */
export function newLine(name: string, value: string): FieldLine {
  return { name: name.toLowerCase(), text: `${name}: ${value}` }
}

/** The value as a reader has it. */
export function valueOf({ text }: FieldLine): string {
  return text
    .slice(text.indexOf(':') + 1)
    .split('\r\n')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ')
}

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

/** By hand: an expression takes quadratic time for a line of CRs. */
function withoutReturns(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === '\r') end--
  return line.slice(0, end)
}

/** All but the tab. A reader takes some of them for line ends, and a NUL for the end of everything. */
const controls = /[^\t -~\x80-\xff]/

/** WARC 1.1, 4: a token, and a colon right after it. Some writers put blanks between the two, which readers take away. */
function fieldOf(line: string): FieldLine | undefined {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).trim()
  if (!token.test(name)) return undefined
  return { name: name.toLowerCase(), text: line.startsWith(`${name}:`) ? line : `${name}:${line.slice(colon + 1)}` }
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/

function isWellEnded(header: Uint8Array): boolean {
  const text = Buffer.from(header.buffer, header.byteOffset, header.length).toString('latin1')
  const ends = text.split('\n').slice(0, -1)
  return text.endsWith('\r\n\r\n') && ends.every((line) => line.endsWith('\r') && !line.endsWith('\r\r'))
}
