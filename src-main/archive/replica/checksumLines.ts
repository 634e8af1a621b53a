/** The lines of a checksum file, as `sha256sum` writes and checks them: the checksum in hex, a space, a space or an asterisk
 *  (text or binary, which no system of today tells apart), the name. Of what is no such line nothing is taken. */

export interface ChecksumEntry {
  name: string
  /** Hex, small letters. */
  sha256: string
}

export function lineOf({ name, sha256 }: ChecksumEntry): string {
  return `${sha256}  ${name}\n`
}

/** Of one line without its end; undefined when it says nothing. */
export function entryOf(line: string): ChecksumEntry | undefined {
  const [, sha256 = '', name] = /^([0-9A-Fa-f]{64}) [ *](\S+)\r?$/.exec(line) ?? []
  return name === undefined ? undefined : { name, sha256: sha256.toLowerCase() }
}

/** A line longer than this is none of ours: 64 digits, two characters, a name of 200, and as much again. */
export const lineBytesMax = 600

export interface FoundLine {
  offset: number
  /** Undefined when it says nothing. */
  entry: ChecksumEntry | undefined
  /** With its end. */
  bytes: number
}

/** Cuts bytes into lines, however they arrive. A last line without its end was being written when the power went: it is
 *  not given, and `torn` says how long it is. */
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
