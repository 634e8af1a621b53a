/** Lines of a checksum file in the format of `sha256sum`: the checksum in hex, a space, a space or an asterisk (text or binary mode,
 *  which are equivalent on current systems), the name. Other lines are ignored. */

export interface ChecksumEntry {
  name: string
  /** SHA-256 in lower-case hex. */
  sha256: string
}

/** Line of an entry in text mode, as `sha256sum` writes it, with its line end. */
export function lineOf({ name, sha256 }: ChecksumEntry): string {
  return `${sha256}  ${name}\n`
}

/** Parses one line without its line end; undefined when it is not an entry. */
export function entryOf(line: string): ChecksumEntry | undefined {
  const [, sha256 = '', name] = /^([0-9A-Fa-f]{64}) [ *](\S+)\r?$/.exec(line) ?? []
  return name === undefined ? undefined : { name, sha256: sha256.toLowerCase() }
}

/** Maximum length of an entry: 64 digits, two characters and a name of 200 characters, with as much again to spare. Longer lines are
 *  ignored. */
export const lineBytesMax = 600

export interface FoundLine {
  offset: number
  /** The parsed entry; undefined when the line is not an entry. */
  entry: ChecksumEntry | undefined
  /** Length including the line end. */
  bytes: number
}

/** Splits a stream of chunks into lines. A last line without its end, as left by a power failure, is not returned; `torn` gives its
 *  length. */
export function lineCutter(): { cut(chunk: Uint8Array): FoundLine[]; torn(): number } {
  let offset = 0
  let pending: Uint8Array = new Uint8Array(0)
  let isTooLong = false
  let pendingBytes = 0
  return {
    cut(chunk) {
      const lines: FoundLine[] = []
      let from = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
        const bytes = pendingBytes + end + 1 - from
        const whole = Buffer.concat([pending, chunk.subarray(from, end)])
        const isEntry = !isTooLong && whole.length <= lineBytesMax
        lines.push({ offset, entry: isEntry ? entryOf(whole.toString('utf8')) : undefined, bytes })
        offset += bytes
        from = end + 1
        pending = new Uint8Array(0)
        pendingBytes = 0
        isTooLong = false
      }
      pendingBytes += chunk.length - from
      if (pendingBytes > lineBytesMax) {
        isTooLong = true
        pending = new Uint8Array(0)
      } else pending = Buffer.concat([pending, chunk.subarray(from)])
      return lines
    },
    torn: () => pendingBytes,
  }
}

const newline = 0x0a
