/** The patterns of one list of a harvest's definition. The pattern that decided is reported as it was written, so that its
 *  author can find it. */
import type { DomainRules } from '../../contract/shapes/domainRules.ts'
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

/** The exclude patterns of single domains. */
export interface DomainPatterns {
  readonly isEmpty: boolean
  /** Returns the patterns of a registered domain; undefined if it has none. */
  of(domain: string): Patterns | undefined
}

/** Prepares the patterns of domains. Those of a domain are compiled when its first URL is judged: a run that has reached few of
 *  10,000 domains pays for these. */
export function domainPatternsOf(rules: DomainRules = {}): DomainPatterns {
  const written = new Map(
    Object.entries(rules).flatMap(([domain, { exclude }]) => (exclude.length > 0 ? [[domain, exclude] as const] : [])),
  )
  const compiled = new Map<string, Patterns>()
  return {
    isEmpty: written.size === 0,
    of(domain) {
      const known = compiled.get(domain)
      const patterns = written.get(domain)
      if (known || !patterns) return known
      const made = patternsOf(patterns)
      compiled.set(domain, made)
      return made
    },
  }
}
