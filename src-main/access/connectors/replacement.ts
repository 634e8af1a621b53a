/** The replacement of the pattern mapper, in ManifoldCF's notation: `$(1)` is the first group of the match, `$(0)` the whole name, `$(1l)` the
 *  group in lower case, `$(1u)` in upper case. Other text stands for itself. Pure. */

/** A part of a replacement: text, or a group of the match. */
type Part = string | { group: number; letters: 'kept' | 'lower' | 'upper' }

/** Reads a replacement; undefined where a `$(` begins no group. */
export function readReplacement(text: string): Part[] | undefined {
  const parts: Part[] = []
  for (const piece of text.split(/(\$\([^)]*\)?)/)) {
    if (!piece.startsWith('$(')) {
      if (piece !== '') parts.push(piece)
      continue
    }
    const [, group, letter] = /^\$\((\d{1,2})([lu]?)\)$/.exec(piece) ?? []
    if (group === undefined) return undefined
    parts.push({ group: Number(group), letters: letter === 'l' ? 'lower' : letter === 'u' ? 'upper' : 'kept' })
  }
  return parts
}

/** Puts a replacement together from the groups of a match; a group that the pattern does not have is empty. */
export function replaced(parts: readonly Part[], groups: readonly string[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const text = groups[part.group] ?? ''
      return part.letters === 'lower' ? text.toLowerCase() : part.letters === 'upper' ? text.toUpperCase() : text
    })
    .join('')
}
