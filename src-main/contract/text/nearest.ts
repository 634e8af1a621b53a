/** Returns the known word with the fewest edits, ignoring case; undefined when even that needs more than 2 edits
 *  and more than half of the word's length. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known.map((candidate) => ({
    candidate,
    edits: editsBetween(word.toLowerCase(), candidate.toLowerCase()),
  }))
  const best = ranked.sort((a, b) => a.edits - b.edits)[0]
  return best && best.edits <= Math.max(2, word.length / 2) ? best.candidate : undefined
}

/** Computes the Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
