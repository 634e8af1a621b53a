/** The value of a setting as editable text, and back. The engine validates values; only text that cannot be converted to the type of the
 *  setting is refused here. */
import type { Setting } from '../../../src-main/contract/services/settings.ts'

export type Read = { value: unknown } | { problem: 'number' | 'pair' }

export function textOf(kind: Setting['kind'], value: unknown): string {
  if (value === null || value === undefined) return ''
  if (kind === 'list' && Array.isArray(value)) return value.map(String).join('\n')
  if (kind === 'map' && typeof value === 'object')
    return Object.entries(value)
      .map(([key, held]) => `${key} = ${String(held)}`)
      .join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function valueIn(kind: Setting['kind'], text: string): Read {
  switch (kind) {
    case 'number': {
      const value = Number(text)
      return text.trim() === '' || !Number.isFinite(value) ? { problem: 'number' } : { value }
    }
    case 'list':
      return { value: linesOf(text) }
    case 'map':
      return mapIn(linesOf(text))
    case 'text':
    case 'choice':
      return { value: text }
  }
}

function mapIn(lines: readonly string[]): Read {
  const entries: [string, string][] = []
  for (const line of lines) {
    const at = line.indexOf('=')
    if (at < 1) return { problem: 'pair' }
    entries.push([line.slice(0, at).trim(), line.slice(at + 1).trim()])
  }
  return { value: Object.fromEntries(entries) }
}

/** The entries of a list, one per line. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
