/** Formats tables as CSV (RFC 4180) and saves text as a file. */

export type CsvValue = string | number | null

export function csvOf(head: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [head, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
}

function csvField(value: CsvValue): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function saveText(name: string, text: string, mediaType = 'text/csv'): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }))
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = name
  anchor.click()
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
