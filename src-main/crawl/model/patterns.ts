/** The patterns of one list of a harvest's definition. The pattern that decided is reported as it was written, so that its
 *  author can find it. */
import { matcherOf, patternOf } from '../../patterns/pattern.ts'

/** A list of patterns. */
export interface Patterns {
  readonly written: readonly string[]
  /** Returns the first pattern that matches one of these texts, as it was written. */
  matchedBy(...texts: readonly string[]): string | undefined
}

/** Compiles a list of patterns. No run begins with a pattern that is refused (`loops/unusablePatterns.ts`). */
export function patternsOf(written: readonly string[], options?: { ignoresCase?: boolean }): Patterns {
  const matcher = matcherOf(written.map((each) => patternOf(each, options)))
  return { written, matchedBy: (...texts) => matcher.first(...texts)?.written }
}
