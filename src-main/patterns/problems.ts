/** Codes of the reasons why a pattern is rejected. `contract/shapes/pattern.ts` has a message for each: this floor
 *  has no text for users. */

/** Syntax of other engines that a linear-time engine cannot support. */
type Unsupportable = 'lookahead' | 'lookbehind' | 'backreference' | 'atomicGroup' | 'possessive'

/** Syntax that could be supported, but is not. */
type Unsupported = 'group' | 'comment' | 'flag' | 'posixClass' | 'property' | 'negatedProperty' | 'escape'

/** Syntax that is invalid in JavaScript with the flag `u`, too. */
type Mistake =
  | 'incompleteEscape'
  | 'trailingBackslash'
  | 'unclosedGroup'
  | 'unopenedGroup'
  | 'unclosedClass'
  | 'unopenedClass'
  | 'brace'
  | 'nothingToRepeat'
  | 'groupName'
  | 'rangeOrder'
  | 'rangeEnd'
  | 'quantifierOrder'

/** A bound of `limits.ts` is exceeded. */
type Excess = 'tooManyRepeats' | 'tooDeep' | 'tooLarge'

/** All codes. */
export type PatternProblemCode = Unsupportable | Unsupported | Mistake | Excess

/** The reason why a pattern is rejected. */
export interface PatternProblem {
  code: PatternProblemCode
  /** The rejected part of the pattern, as entered; empty where it is the pattern as a whole. */
  part: string
}
