/** Patterns are the regular expressions that users enter. They are matched by RE2 (re2js, a port to JavaScript) in
 *  time that is linear in the length of the text, so that no pattern can block the thread that matches it. */
import { RE2JS, RE2Set } from 're2js'
import { portionCostMax, stateBytesMax } from './limits.ts'
import { literalFinder } from './literals.ts'
import type { Piece } from './piece.ts'
import type { PatternProblem } from './problems.ts'
import { readSyntax } from './syntax.ts'

/** A valid pattern. */
export interface Pattern extends Omit<Piece, 'repeats'> {
  /** The pattern as entered, shown with the decisions it led to. */
  written: string
}

/** A parsed pattern, or the reason why it is invalid. */
export type PatternReading = { pattern: Pattern } | { problem: PatternProblem }

/** Parses a pattern of JavaScript syntax (syntax.ts). Never throws; its size is limited by limits.ts. */
export function readPattern(written: string, { ignoresCase = false }: { ignoresCase?: boolean } = {}): PatternReading {
  const read = readSyntax(written, { ignoresCase, dotMatchesAll: false })
  if ('problem' in read) return read
  const { source, size, literals } = read.piece
  return { pattern: { written, source, size, literals } }
}

/** Parses a pattern that was validated before. Throws when it is invalid, which is a bug of the caller. */
export function patternOf(written: string, options?: { ignoresCase?: boolean }): Pattern {
  const reading = readPattern(written, options)
  if ('pattern' in reading) return reading.pattern
  const { code, part } = reading.problem
  throw new Error(`the pattern ${written} was not validated before it was used: ${code} ${part}`)
}

/** Returns the patterns among the texts; invalid ones are skipped. */
export function patternsIn(written: readonly string[]): Pattern[] {
  return written.flatMap((each) => {
    const reading = readPattern(each)
    return 'pattern' in reading ? [reading.pattern] : []
  })
}

/** Matches texts against several patterns; made by `matcherOf`. */
export interface PatternMatcher {
  /** Returns the first of the patterns, in order, that matches anywhere in one of the texts. */
  first(...texts: readonly string[]): Pattern | undefined
  /** Returns all matching patterns, in order. */
  all(...texts: readonly string[]): Pattern[]
}

/** Matches several patterns at once. Each one is compiled when it is first needed. */
export function matcherOf(patterns: readonly Pattern[]): PatternMatcher {
  const finder = literalFinder(patterns.map(({ literals }) => literals ?? []))
  /** 1 for patterns without known literals, which are matched against every text. */
  const always = Uint8Array.from(patterns, ({ literals }) => (literals === null ? 1 : 0))
  const maybe = new Uint8Array(patterns.length)
  const compiled: (RE2Set | undefined)[] = patterns.map(() => undefined)

  /** Yields the indexes of the matching patterns, in order. */
  function* matching(texts: readonly string[]): Generator<number> {
    maybe.set(always)
    for (const text of texts) finder.mark(text, maybe)
    // A plain loop, because a text without matches spends nearly all of its time here and in the search for literals.
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

/** Splits items into portions that take a short time even with the slowest pattern. `costOf` returns the size of the
 *  pattern times the length of the text. */
export function* portionsOf<Item>(items: readonly Item[], costOf: (item: Item) => number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length;) {
    let to = from
    for (let cost = 0; to < items.length && cost < portionCostMax; to += 1) cost += costOf(items[to] as Item)
    yield items.slice(from, to)
    from = to
  }
}

/** Compiles a pattern to a set of one, because only sets of RE2 allow a limit on the memory of the automaton. */
function compile(pattern: Pattern | undefined): RE2Set {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, stateBytesMax)
  if (pattern) set.add(pattern.source)
  set.compile()
  return set
}

/** Returns a function that yields what the first group of the pattern matched, or the whole match when it has no
 *  group; null when a text does not match. */
export function classifierOf({ source }: Pattern): (text: string) => string | null {
  const expression = RE2JS.compile(source)
  const group = expression.groupCount() > 0 ? 1 : 0
  // The public matcher would match every text twice, the second time for the group.
  const matcher = expression.re2()
  return (text) => {
    const groups: (string | null)[] | null = matcher.findSubmatch(text)
    return groups === null ? null : (groups[group] ?? '')
  }
}

/** Returns a function that yields the whole match and its groups, in order; null when a text does not match. A group that took no part in
 *  the match is empty. */
export function groupsOf({ source }: Pattern): (text: string) => string[] | null {
  const matcher = RE2JS.compile(source).re2()
  return (text) => {
    const groups: (string | null)[] | null = matcher.findSubmatch(text)
    return groups === null ? null : Array.from(groups, (group) => group ?? '')
  }
}
