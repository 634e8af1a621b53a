/** The patterns of one list of a harvest's definition. Which of them decided is told as it was written: whoever reads it looks
 *  for it among those that they wrote. */
import { matcherOf, patternOf } from '../../patterns/pattern.ts'

export interface Patterns {
  readonly written: readonly string[]
  /** The first that one of these texts matches, as it was written. */
  matchedBy(...texts: readonly string[]): string | undefined
}

/** No run begins with a pattern that is refused (`loops/unusablePatterns.ts`). */
export function patternsOf(written: readonly string[], options?: { ignoresCase?: boolean }): Patterns {
  const matcher = matcherOf(written.map((each) => patternOf(each, options)))
  return { written, matchedBy: (...texts) => matcher.first(...texts)?.written }
}
