/** What the command line prints, and where: results on standard output, everything about the way there on standard error. */

export interface Output {
  /** One JSON document, or the text for a person. */
  result(value: unknown, text: () => string): void
  /** For standard error: what a person should know beside the result. */
  note(text: string): void
  /** A line that is written over and over on a terminal, and not at all elsewhere. */
  progress(text: string): void
}

export function outputOf(json: boolean, stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Output {
  let progressShown = false
  const clear = () => {
    if (progressShown) stderr.write('\r\x1b[K')
    progressShown = false
  }
  return {
    result(value, text) {
      clear()
      stdout.write(json ? `${JSON.stringify(value)}\n` : `${text()}\n`)
    },
    note(text) {
      clear()
      stderr.write(`${text}\n`)
    },
    progress(text) {
      if (!stderr.isTTY) return
      stderr.write(`\r\x1b[K${text.slice(0, (stderr.columns || 80) - 1)}`)
      progressShown = true
    },
  }
}

/** Columns as wide as their widest cell, numbers to the right. */
export function table(header: string[], rows: (string | number)[][]): string {
  const widths = header.map((name, column) => Math.max(name.length, ...rows.map((row) => String(row[column] ?? '').length)))
  const line = (cells: (string | number)[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(header), ...rows.map(line)].join('\n')
}

export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`
}

export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
