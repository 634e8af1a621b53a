/** The form in which texts and queries are compared. SQLite's `unicode61` folds case and Latin diacritics and finds words between spaces; what
 *  it does not know of scripts is done here before. Both sides pass this function, so it may change only with `textSchemaVersion`. */

/** Scripts that are written without spaces between words, and Hangul, whose words carry particles: each character is a word of its own, and a
 *  word of a query is a phrase of them. So any part of a text is found, also a single character. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/gu

/** Marks that are written or left out at will: vowels and ornaments of Arabic and Hebrew, soft hyphens, and what only directs the layout. */
const optional =
  /\p{Join_Control}|[\u0640\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?=[\u0591-\u06ed])\p{Mn}/gu

/** Letters that are typed for one another in Arabic script. */
const variants: Readonly<Record<string, string>> = {
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ی: 'ي', ة: 'ه', ک: 'ك' },
}
const variant = /[أإآٱىیةک]/g

/** Characters that need any of this, or that Unicode has in several forms. Latin, Greek and Cyrillic letters, punctuation and symbols do not. */
// oxlint-disable-next-line no-misleading-character-class -- a range of marks
const special = /[\u00ad\u0300-\u036f\u0590-\u1fff\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2c00-\uffff]/
// oxlint-disable-next-line no-control-regex -- all that is not ASCII
const notAscii = /[^\x00-\x7f]+/g

/** Returns the text in the form in which it is compared. */
export function searchable(text: string): string {
  if (!special.test(text)) return text
  return text.replace(notAscii, (run) => (special.test(run) ? comparedForm(run) : run))
}

function comparedForm(text: string): string {
  return text
    .normalize('NFKC')
    .replace(optional, '')
    .replace(variant, (letter) => variants[letter] ?? letter)
    .replace(unspaced, ' $& ')
}

/** The tokens of a text with their places in it, as SQLite finds them: for snippets. */
export interface Token {
  start: number
  end: number
  /** As it is compared. */
  word: string
}

const wordOrCharacter = new RegExp(
  `${unspaced.source}\\p{M}*|(?:(?!${unspaced.source})[\\p{L}\\p{N}\\p{M}\\p{Co}\u00ad\u0640\u200b-\u200f])+`,
  'gu',
)

/** The same for a text without special characters, and for one in ASCII: each some times as fast. */
const plainWord = /[\p{L}\p{N}\p{M}]+/gu
const asciiWord = /[a-z0-9]+/gi

/** Yields the tokens of a text. */
export function* tokensOf(text: string): Generator<Token> {
  const isInAscii = isAscii(text)
  const pattern = isInAscii ? asciiWord : special.test(text) ? wordOrCharacter : plainWord
  for (const found of text.matchAll(pattern)) {
    const [written] = found
    const start = found.index
    const word = isInAscii ? written.toLowerCase() : foldedWord(written)
    if (word !== '') yield { start, end: start + written.length, word }
  }
}

/** Returns the words of a query's word, as they are compared: one, or one per character. */
export function wordsOf(text: string): string[] {
  return Array.from(tokensOf(text), ({ word }) => word)
}

/** Folds case and diacritics as `unicode61` does with `remove_diacritics 2`: those of Latin letters, and marks that belong to no letter. */
function foldedWord(written: string): string {
  if (isAscii(written)) return written.toLowerCase()
  const compared = searchable(written).trim().toLowerCase()
  return compared.replace(/\p{sc=Latin}/gu, (letter) => letter.normalize('NFD')).replace(/[\u0300-\u0331]/g, '')
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  return /^[\x00-\x7f]*$/.test(text)
}
