/** Seeds in the text of a seed list: one per line; blank lines and lines that begin with # are none. */
export function seedsIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
