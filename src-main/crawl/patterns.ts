/** Regular expressions of a person, each with how it was written: who reads which one decided looks for it among those that he
 *  wrote, and `source` of a RegExp has a backslash before every slash. */

export interface Pattern {
  written: string
  expression: RegExp
}

export function patternOf(written: string, flags = 'u'): Pattern {
  return { written, expression: new RegExp(written, flags) }
}

/** The first that one of these texts matches, as it was written. */
export function matchedBy(patterns: readonly Pattern[], ...texts: readonly string[]): string | undefined {
  return patterns.find(({ expression }) => texts.some((text) => expression.test(text)))?.written
}

/** Of several of which none matched. */
export function writtenIn(patterns: readonly Pattern[]): string {
  return patterns.map(({ written }) => written).join(' | ')
}
