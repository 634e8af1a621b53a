/** Formats bytes as a hex dump: offset, sixteen bytes in two groups, and the printable ASCII characters. */

const bytesPerLine = 16

export function hexLines(hex: string): string[] {
  const lines: string[] = []
  for (let at = 0; at < hex.length; at += 2 * bytesPerLine) {
    const pairs = hex.slice(at, at + 2 * bytesPerLine).match(/../g) ?? []
    const group = (from: number, to: number) => pairs.slice(from, to).join(' ').padEnd(23)
    const where = (at / 2).toString(16).padStart(8, '0')
    lines.push(`${where}  ${group(0, 8)}  ${group(8, 16)}  ${pairs.map(printable).join('')}`)
  }
  return lines
}

function printable(pair: string): string {
  const code = Number.parseInt(pair, 16)
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.'
}
