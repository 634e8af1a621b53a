/** Reasons why a pattern is rejected: one table for the engine, the command line and the user interface. Each text
 *  says what is wrong, why when it is not obvious, and what to write instead. */

/** Why lookaround, backreferences and similar syntax cannot be supported. */
const linear = 'because Loupe matches patterns in a time that grows only linearly with the text'

/** Messages for the user by code. */
export const patternProblemTexts = {
  // Syntax of other engines that a linear-time engine cannot support.
  lookahead: `Lookahead is not supported, ${linear}. List what should match instead, or use one pattern that includes and one that excludes.`,
  lookbehind: `Lookbehind is not supported, ${linear}. Write what comes before as a part of the pattern.`,
  backreference: `A backreference is not supported, ${linear}. Write out what repeats: (?:/calendar){2} for a path that contains /calendar/calendar.`,
  atomicGroup: 'Atomic groups are not supported, and not needed: matching never goes back. Write (?: instead.',
  possessive:
    'Only one quantifier can follow an item. Possessive quantifiers are not needed, since matching never goes back: remove the second sign.',
  // Syntax that could be supported, but is not.
  group:
    'This kind of group is not supported. Write (?: for a group, or a parenthesis alone for one whose match is used.',
  comment: 'Comments inside a pattern are not supported. Remove this part.',
  flag: 'Only the flags i (ignore case) and s (the dot also matches line ends) are supported. Remove the others; ^ and $ always stand for the beginning and the end of the text.',
  posixClass: 'POSIX classes are not supported. Write the characters, such as [A-Za-z] or [0-9].',
  property:
    'This Unicode property is not supported. Use a general category or a script, such as \\p{L}, \\p{Lu} or \\p{Script=Greek}.',
  negatedProperty: 'A negated property cannot be combined with ignoring case. Write [^\\p{…}] instead of \\P{…}.',
  escape:
    'This escape is not supported. To match a letter or digit itself, write it without the backslash; ^ and $ stand for the beginning and the end of the text.',
  // Mistakes.
  incompleteEscape: 'This escape is incomplete: it looks like \\x2F, \\u002F, \\u{1F600} or \\cJ.',
  trailingBackslash: 'A backslash at the end has nothing to escape. Write \\\\ for a backslash itself.',
  unclosedGroup: 'A parenthesis is opened here and never closed. Close it, or write \\( for a parenthesis itself.',
  unopenedGroup: 'A parenthesis is closed here that was never opened. Write \\) for a parenthesis itself.',
  unclosedClass: 'A bracket is opened here and never closed. Close it, or write \\[ for a bracket itself.',
  unopenedClass: 'A bracket is closed here that was never opened. Write \\] for a bracket itself.',
  brace: 'This brace is no quantifier such as {2}, {2,} or {2,5}. Write \\{ or \\} for a brace itself.',
  nothingToRepeat:
    'There is nothing here that could be repeated. Write a backslash before the sign to match it itself.',
  groupName: 'The name of a group consists of letters, digits and _, and is closed by >.',
  rangeOrder: 'This range runs backwards. Write the smaller character first.',
  rangeEnd: 'A range cannot begin or end with a class of characters. Put the hyphen first or last to match it itself.',
  quantifierOrder: 'The smaller number of a quantifier comes first.',
  // Limits.
  tooManyRepeats:
    'A repetition of more than 1,000 times, also by one inside another, is not supported. Use + or * where any number will do.',
  tooDeep: 'The pattern has more than 100 groups inside each other. Write it more simply.',
  tooLarge: 'The pattern is too large. Split it into several patterns, or repeat less.',
} as const satisfies Record<string, string>

export type PatternProblemCode = keyof typeof patternProblemTexts

/** The reason why a pattern is rejected. */
export interface PatternProblem {
  code: PatternProblemCode
  /** The rejected part of the pattern, as entered. */
  part: string
}

/** Maximum number of characters of the part that are shown. */
const partCharactersMax = 40

/** Returns the message for the user. */
export function patternProblemText({ code, part }: PatternProblem): string {
  const shown = part.length > partCharactersMax ? `${part.slice(0, partCharactersMax)}…` : part
  return shown === '' ? patternProblemTexts[code] : `"${shown}": ${patternProblemTexts[code]}`
}
