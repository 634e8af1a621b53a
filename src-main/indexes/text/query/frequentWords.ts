/** Words by which the results of a search differ from all other documents: those that many of the results have, and few others. Pure but for
 *  the words of the index, which the caller looks up. */
import { tokensOf, wordsOf } from '../words/searchable.ts'

/** A word of the results. */
export interface FrequentWord {
  word: string
  /** Results that have it, of those that were read. */
  documents: number
  /** Its weight: the share of the results that have it, times how rare it is in the index (tf-idf; Spärck Jones, 1972). */
  weight: number
}

/** The index, in which words are rare or frequent. */
export interface WordIndex {
  /** Documents. */
  contents: number
  /** Documents that have a word. */
  documentsWith(word: string): number
}

/** Words that are weighed: the most frequent of the results. */
const weighedMax = 1_000
/** Characters that are read of each result, from its beginning. */
const readCharactersMax = 20_000
/** Shorter words of scripts with spaces, such as articles, say little. */
const lettersMin = 3

/** Returns the words with the highest weight, at most `limit`. Words of the query are in all results, and left out. */
export function frequentWords(
  texts: Iterable<string>,
  { queryWords, limit, index }: { queryWords: ReadonlySet<string>; limit: number; index: WordIndex },
): FrequentWord[] {
  const counts = new Map<string, number>()
  let read = 0
  for (const text of texts) {
    read += 1
    for (const word of new Set(telling(text.slice(0, readCharactersMax)))) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const frequent = [...counts]
    .filter(([word]) => !queryWords.has(word))
    .toSorted(([word, count], [other, otherCount]) => otherCount - count || (word < other ? -1 : 1))
    .slice(0, weighedMax)
  return frequent
    .map(([word, documents]) => ({ word, documents, weight: (documents / read) * rarity(word, documents, index) }))
    .toSorted((one, other) => other.weight - one.weight || (one.word < other.word ? -1 : 1))
    .slice(0, limit)
}

/** Logarithm of how many times as many documents there are as have the word. A word that the index divides into characters has at least
 *  the documents in which it was found. */
function rarity(word: string, found: number, { contents, documentsWith }: WordIndex): number {
  const parts = wordsOf(word)
  const documents = parts.length === 1 ? documentsWith(word) : 0
  return Math.log((contents + 1) / Math.max(documents, found))
}

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
const number = /^[\p{N}]+$/u

/** The words of a text that tell something: no numbers, and none with very few letters. */
function* telling(text: string): Generator<string> {
  for (const word of unspaced.test(text) ? segmented(text) : plain(text))
    if (!number.test(word) && (word.length >= lettersMin || (word.length > 1 && unspaced.test(word)))) yield word
}

function* plain(text: string): Generator<string> {
  for (const { word } of tokensOf(text)) yield word
}

/** Words of scripts without spaces, as dictionaries of Unicode (ICU) divide them. */
function* segmented(text: string): Generator<string> {
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) yield segment.toLowerCase()
}
