/** A better spelling for words that the index does not have. Pure but for the words of the index, which the caller looks up. */
import type { Term, TextQuery } from './parseQuery.ts'

/** Words of the index. */
export interface Vocabulary {
  has(word: string): boolean
  /** Words that begin with these characters, with the number of documents that have them. */
  beginningWith(start: string): readonly { word: string; documents: number }[]
}

/** Length from which words are corrected: shorter ones are abbreviations, and everything is near to them. */
const lettersMin = 4

/** Returns the query with words of the index in place of those that it does not have; undefined where all are in it, or none is near. */
export function correctedQuery(query: TextQuery, vocabulary: Vocabulary): TextQuery | undefined {
  let isCorrected = false
  const corrected = (term: Term): Term => {
    const words = term.words.map((word, at) => {
      const isWhole = !(term.isPrefix && at === term.words.length - 1)
      const better = isWhole && !vocabulary.has(word) ? nearestWord(word, vocabulary) : undefined
      isCorrected ||= better !== undefined
      return better ?? word
    })
    return { ...term, words }
  }
  const groups = query.groups.map((terms) => terms.map(corrected))
  return isCorrected ? { ...query, groups } : undefined
}

/** Returns the nearest word: fewest edits first, then most documents. A wrong first letter is not corrected, which leaves a small part of the
 *  words to compare. */
function nearestWord(word: string, vocabulary: Vocabulary): string | undefined {
  const letters = [...word]
  if (letters.length < lettersMin) return undefined
  const editsMax = letters.length < 8 ? 1 : 2
  let best: { word: string; edits: number; documents: number } | undefined
  for (const candidate of vocabulary.beginningWith(letters[0] ?? '')) {
    if (Math.abs(candidate.word.length - word.length) > editsMax) continue
    const edits = editsBetween(word, candidate.word, editsMax)
    if (edits > editsMax) continue
    const isBetter = !best || edits < best.edits || (edits === best.edits && candidate.documents > best.documents)
    if (isBetter) best = { ...candidate, edits }
  }
  return best?.word
}

/** Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment); more than `editsMax` is not counted. */
function editsBetween(one: string, other: string, editsMax: number): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[at - 1] === other[column - 1]
      let edits = Math.min(
        (row[column - 1] ?? 0) + (isSame ? 0 : 1),
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
      )
      const isSwap = at > 1 && column > 1 && one[at - 1] === other[column - 2] && one[at - 2] === other[column - 1]
      if (isSwap) edits = Math.min(edits, (before[column - 2] ?? 0) + 1)
      next.push(edits)
    }
    if (Math.min(...next) > editsMax) return editsMax + 1
    before = row
    row = next
  }
  return row[other.length] ?? editsMax + 1
}

/** Writes the words of a query as people type them. Filters are added by the caller, as they were written. */
export function queryText({ groups, excluded }: TextQuery): string {
  const written = ({ words, isPrefix }: Term) =>
    words.length > 1 ? `"${words.join(' ')}"` : `${words[0] ?? ''}${isPrefix ? '*' : ''}`
  return [
    ...groups.map((terms) => terms.map(written).join(' OR ')),
    ...excluded.map((term) => `-${written(term)}`),
  ].join(' ')
}
