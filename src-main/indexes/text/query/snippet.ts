/** The passage of a text that shows best why it was found. It is text in pieces and no HTML: archived text is hostile, and whoever shows it
 *  decides how. Pure. */
import { tokensOf, type Token } from '../words/searchable.ts'
import type { Term } from './parseQuery.ts'

/** A piece of a snippet. */
export interface SnippetPart {
  text: string
  isMatch: boolean
}

/** Passages of a text that are compared, and characters that are read where the letters of no term are found. */
const passagesMax = 8
const readCharactersMax = 10_000
/** Characters of a snippet, and of those before its first match. */
const snippetCharactersMax = 240
const leadCharacters = 60

/** Returns a snippet; from the beginning of the text where no term is in it. */
export function snippetOf(text: string, terms: readonly Term[]): SnippetPart[] {
  const matches = matchesIn(text, terms)
  const start = wordStart(text, bestStart(matches))
  const end = wordEnd(text, start + snippetCharactersMax)
  const parts: SnippetPart[] = []
  let at = start
  const add = (to: number, isMatch: boolean) => {
    if (to > at) parts.push({ text: oneLine(text.slice(at, to)), isMatch })
    at = Math.max(at, to)
  }
  for (const match of matches) {
    if (match.start < at || match.end > end) continue
    add(match.start, false)
    add(match.end, true)
  }
  add(end, false)
  if (start > 0) parts.unshift({ text: '… ', isMatch: false })
  if (end < text.length) parts.push({ text: ' …', isMatch: false })
  return parts
}

interface Match {
  start: number
  end: number
  /** Number of the term. */
  term: number
}

/** Returns places of the terms, in the order of the text. Reading all words of a long text takes a hundred times as long as finding the
 *  letters of one, so that only what surrounds these is read; where they are written in another way, the beginning of the text. */
function matchesIn(text: string, terms: readonly Term[]): Match[] {
  const lower = text.toLowerCase()
  let letters = lower.length === text.length ? terms.map(({ words: [first = ''] }) => first) : []
  const found: Match[] = []
  let to = 0
  for (let passages = 0; passages < passagesMax; passages++) {
    const places = letters.map((word) => lower.indexOf(word, to))
    letters = letters.filter((_, at) => (places[at] ?? -1) >= 0)
    if (letters.length === 0) break
    const place = Math.min(...places.filter((at) => at >= 0))
    const from = Math.min(place, wordStart(text, Math.max(to, place - leadCharacters)))
    to = Math.max(place + 1, wordEnd(text, place + snippetCharactersMax))
    found.push(...matchesBetween(text, { from, to }, terms))
  }
  return found.length > 0 ? found : matchesBetween(text, { from: 0, to: readCharactersMax }, terms)
}

function matchesBetween(text: string, { from, to }: { from: number; to: number }, terms: readonly Term[]): Match[] {
  const found: Match[] = []
  const tokens = [...tokensOf(text.slice(from, to))]
  tokens.forEach((token, at) =>
    terms.forEach((term, number) => {
      const first = tokens[at + 1 - term.words.length]
      if (first && isTerm(tokens, { last: at, term }))
        found.push({ start: from + first.start, end: from + token.end, term: number })
    }),
  )
  return found
}

/** Whether the words up to this one are the term. */
function isTerm(tokens: readonly Token[], { last, term }: { last: number; term: Term }): boolean {
  const { words, isPrefix } = term
  const first = last + 1 - words.length
  return words.every((word, at) => {
    const token = tokens[first + at]?.word ?? ''
    return isPrefix && at === words.length - 1 ? token.startsWith(word) : token === word
  })
}

/** Returns where the snippet begins that has most different terms, and of several the one with most matches. */
function bestStart(matches: readonly Match[]): number {
  let best = { start: 0, score: 0 }
  let from = 0
  const counts = new Map<number, number>()
  matches.forEach((match) => {
    counts.set(match.term, (counts.get(match.term) ?? 0) + 1)
    for (let first = matches[from]; first && match.end - first.start > snippetCharactersMax - leadCharacters;) {
      const count = (counts.get(first.term) ?? 1) - 1
      if (count === 0) counts.delete(first.term)
      else counts.set(first.term, count)
      first = matches[++from]
    }
    const inside = [...counts.values()].reduce((sum, count) => sum + Math.min(count, 5), 0)
    const score = counts.size * 100 + inside
    const first = matches[from]
    if (first && score > best.score) best = { start: Math.max(0, first.start - leadCharacters), score }
  })
  return best.start
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at, at + leadCharacters / 2).search(/\s/)
  return space < 0 ? wholeCharacter(text, at) : at + space + 1
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.slice(at - leadCharacters / 2, at).search(/\s\S*$/)
  return space < 0 ? wholeCharacter(text, at) : at - leadCharacters / 2 + space
}

/** Moves out of the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at + 1 : at
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
