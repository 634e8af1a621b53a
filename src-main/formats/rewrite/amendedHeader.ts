/** The header of a WARC record that is no longer as it was written: every line stays as it is, byte by byte, but for those
 *  that would now be wrong. These keep their old values under the name `Original-…`, so that nothing is hidden. */
export interface Amendment {
  blockBytes: number
  /** In the form of WARC-Block-Digest; undefined where the digests of the header are right, and only its length is not. */
  blockDigest: string | undefined
  /** Bytes of the block are missing (WARC 1.1, 5.13). */
  isTruncated: boolean
}

const LF = 0x0a

/** `header`: with its blank line. */
export function amendedHeader(header: Uint8Array, amendment: Amendment): Uint8Array {
  const [version = '', ...lines] = fieldLines(header)
  const kept = lines.filter((line) => nameOf(line) !== '').map((line) => superseded(line, amendment))
  const named = new Set(kept.map(nameOf))
  const added = [
    `Content-Length: ${amendment.blockBytes}`,
    ...(amendment.blockDigest === undefined ? [] : [`WARC-Block-Digest: ${amendment.blockDigest}`]),
    // What was cut already for another reason (length, time) says so, and that is the first truth.
    ...(amendment.isTruncated && !named.has('warc-truncated') ? ['WARC-Truncated: unspecified'] : []),
  ]
  return Buffer.from(`${[version, ...kept, ...added].map((line) => `${line}\r\n`).join('')}\r\n`, 'latin1')
}

/** One letter a byte, without line ends; a continuation stays with its line. */
function fieldLines(header: Uint8Array): string[] {
  const lines: string[] = []
  let from = 0
  while (from < header.length) {
    const found = header.indexOf(LF, from)
    const end = found < 0 ? header.length : found
    const line = Buffer.from(header.subarray(from, end)).toString('latin1').replace(/\r$/, '')
    from = end + 1
    const last = lines.length - 1
    if (/^[ \t]/.test(line) && last > 0) lines[last] = `${lines[last] ?? ''}\r\n${line}`
    else if (line !== '') lines.push(line)
  }
  return lines
}

/** Empty for a line that is no field: it says nothing, and readers complain about it. */
function nameOf(line: string): string {
  const colon = line.indexOf(':')
  return colon > 0 ? line.slice(0, colon).trim().toLowerCase() : ''
}

/** WARC-Payload-Digest goes too: of which bytes it was is no longer known. */
const digestFields = new Set(['warc-block-digest', 'warc-payload-digest'])

function superseded(line: string, { blockDigest }: Amendment): string {
  const name = nameOf(line)
  const isOutdated = name === 'content-length' || (blockDigest !== undefined && digestFields.has(name))
  return isOutdated ? `Original-${line.trimStart()}` : line
}
