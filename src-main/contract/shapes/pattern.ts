/**
 * Validation of a regular expression, wherever users enter one: the problem states the error and the correction. `patterns` does the
 * matching.
 */
import { z } from 'zod'
import { patternDepthMax, patternRepeatsMax } from '../../patterns/limits.ts'
import { readPattern } from '../../patterns/pattern.ts'
import type { PatternProblem, PatternProblemCode } from '../../patterns/problems.ts'
import { refusedAs } from '../calls/refusedValue.ts'
import { message, type Message } from '../words/message.ts'

/** Shape of a regular expression that is checked when it is entered. */
export const patternShape = z.string().superRefine((written, { addIssue }) => {
  const problem = patternProblem(written)
  if (problem !== null) addIssue(patternIssue(problem))
})

/** Makes the issue that a shape reports for an invalid pattern. */
export function patternIssue(problem: Message) {
  return { code: 'custom' as const, ...refusedAs((field) => message('value.pattern', { field, problem })) }
}

/** Returns a problem; null when the text is a valid pattern. */
export function patternProblem(written: string, options?: { ignoresCase?: boolean }): Message | null {
  const reading = readPattern(written, options)
  return 'problem' in reading ? patternProblemMessage(reading.problem) : null
}

const problems: Readonly<Record<PatternProblemCode, Message>> = {
  lookahead: message('pattern.lookahead'),
  lookbehind: message('pattern.lookbehind'),
  backreference: message('pattern.backreference', { example: '(?:/calendar){2}', text: '/calendar/calendar' }),
  atomicGroup: message('pattern.atomicGroup'),
  possessive: message('pattern.possessive'),
  group: message('pattern.group'),
  comment: message('pattern.comment'),
  flag: message('pattern.flag'),
  posixClass: message('pattern.posixClass'),
  property: message('pattern.property', { category: '\\p{L}', subcategory: '\\p{Lu}', script: '\\p{Script=Greek}' }),
  negatedProperty: message('pattern.negatedProperty', { instead: '[^\\p{…}]', negated: '\\P{…}' }),
  escape: message('pattern.escape'),
  incompleteEscape: message('pattern.incompleteEscape', {
    ...{ hexadecimal: '\\x2F', short: '\\u002F', long: '\\u{1F600}', control: '\\cJ' },
  }),
  trailingBackslash: message('pattern.trailingBackslash', { escaped: '\\\\' }),
  unclosedGroup: message('pattern.unclosedGroup', { escaped: '\\(' }),
  unopenedGroup: message('pattern.unopenedGroup', { escaped: '\\)' }),
  unclosedClass: message('pattern.unclosedClass', { escaped: '\\[' }),
  unopenedClass: message('pattern.unopenedClass', { escaped: '\\]' }),
  brace: message('pattern.brace', {
    ...{ exact: '{2}', atLeast: '{2,}', between: '{2,5}', opening: '\\{', closing: '\\}' },
  }),
  nothingToRepeat: message('pattern.nothingToRepeat'),
  groupName: message('pattern.groupName'),
  rangeOrder: message('pattern.rangeOrder'),
  rangeEnd: message('pattern.rangeEnd'),
  quantifierOrder: message('pattern.quantifierOrder'),
  tooManyRepeats: message('pattern.tooManyRepeats', { repeatsMax: patternRepeatsMax }),
  tooDeep: message('pattern.tooDeep', { depthMax: patternDepthMax }),
  tooLarge: message('pattern.tooLarge'),
}

/** Maximum number of characters of the rejected part that are shown. */
const partCharactersMax = 40

/** Returns the message for the user: the rejected part, and what is wrong with it. */
export function patternProblemMessage({ code, part }: PatternProblem): Message {
  const problem = problems[code]
  if (part === '') return problem
  const shown = part.length > partCharactersMax ? `${part.slice(0, partCharactersMax)}…` : part
  return message('pattern.at', { part: shown, problem })
}
