/** Patterns: the regular expressions that people type, wherever they type one. They are matched by RE2 (re2js, a port of it to
 *  JavaScript), in a time that grows only linearly with the text: none can hold up the thread that matches it. */
import { RE2JS, RE2Set } from 're2js'
import { portionCostMax, stateBytesMax } from './limits.ts'
import { literalFinder } from './literals.ts'
import { patternProblemText, type PatternProblem } from './problems.ts'
import { readSyntax, type Piece } from './syntax.ts'

export interface Pattern extends Omit<Piece, 'repeats'> {
  /** As it was typed: what a pattern decided is told with it. */
  written: string
}

/** A pattern that was read, or why there is none. */
export type PatternReading = { pattern: Pattern } | { problem: PatternProblem }

export function readPattern(written: string, { ignoresCase = false }: { ignoresCase?: boolean } = {}): PatternReading {
  const read = readSyntax(written, { ignoresCase, dotMatchesAll: false })
  if ('problem' in read) return read
  const { source, size, literals } = read.piece
  return { pattern: { written, source, size, literals } }
}

/** Compiles a pattern that the contract accepted. Anything else is a bug of the caller, and throws. */
export function patternOf(written: string, options?: { ignoresCase?: boolean }): Pattern {
  const reading = readPattern(written, options)
  if ('pattern' in reading) return reading.pattern
  throw new Error(`the pattern ${written} was not refused in time. ${patternProblemText(reading.problem)}`)
}

/** Those of them that are patterns. */
export function patternsIn(written: readonly string[]): Pattern[] {
  return written.flatMap((each) => {
    const reading = readPattern(each)
    return 'pattern' in reading ? [reading.pattern] : []
  })
}

export interface PatternMatcher {
  /** The first of the patterns, in their order, that matches anywhere in one of the texts. */
  first(...texts: readonly string[]): Pattern | undefined
  /** All of them. */
  all(...texts: readonly string[]): Pattern[]
}

/** Matches several patterns at once; each is compiled when it is needed first. */
export function matcherOf(patterns: readonly Pattern[]): PatternMatcher {
  const finder = literalFinder(patterns.map(({ literals }) => literals ?? []))
  /** 1: nothing is known that every match contains. */
  const always = Uint8Array.from(patterns, ({ literals }) => (literals === null ? 1 : 0))
  const maybe = new Uint8Array(patterns.length)
  const compiled: (RE2Set | undefined)[] = patterns.map(() => undefined)

  /** Indexes of those that match, in their order. */
  function* matching(texts: readonly string[]): Generator<number> {
    maybe.set(always)
    for (const text of texts) finder.mark(text, maybe)
    // A plain loop: nearly all of the time of a text that nothing matches is spent here and in the search for literals.
    for (let index = 0; index < maybe.length; index += 1) {
      if (maybe[index] === 0) continue
      const set = (compiled[index] ??= compile(patterns[index]))
      if (texts.some((text) => set.match(text).length > 0)) yield index
    }
  }

  return {
    first(...texts) {
      for (const index of matching(texts)) return patterns[index]
      return undefined
    },
    all: (...texts) => Array.from(matching(texts)).flatMap((index) => patterns[index] ?? []),
  }
}

/** Splits what is to be matched into portions, each of which takes a moment even with the slowest pattern. `costOf`: the size of the
 *  pattern times the length of the text. */
export function* portionsOf<Item>(items: readonly Item[], costOf: (item: Item) => number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length;) {
    let to = from
    for (let cost = 0; to < items.length && cost < portionCostMax; to += 1) cost += costOf(items[to] as Item)
    yield items.slice(from, to)
    from = to
  }
}

/** A set of one: it is what lets the memory of the automaton be bounded. */
function compile(pattern: Pattern | undefined): RE2Set {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, stateBytesMax)
  if (pattern) set.add(pattern.source)
  set.compile()
  return set
}

/** Of a text what the first group of the pattern matched, without a group what the whole matched; null where it does not match. */
export function classifierOf({ source }: Pattern): (text: string) => string | null {
  const expression = RE2JS.compile(source)
  const group = expression.groupCount() > 0 ? 1 : 0
  // A matcher of its own interface would match every text twice, the second time for the group.
  const matcher = expression.re2()
  return (text) => {
    const groups: (string | null)[] | null = matcher.findSubmatch(text)
    return groups === null ? null : (groups[group] ?? '')
  }
}
