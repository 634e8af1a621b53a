/**
 * Validation of a regular expression, wherever users enter one: the complaint is a sentence that states the error and the correction.
 * `patterns` does the matching.
 */
import { z } from 'zod'
import { readPattern } from '../../patterns/pattern.ts'
import { patternProblemText } from '../../patterns/problems.ts'

/** Shape of a regular expression that is checked when it is entered. */
export const patternShape = z.string().superRefine((written, { addIssue }) => {
  const message = patternComplaint(written)
  if (message !== null) addIssue({ code: 'custom', message })
})

/** Returns a complaint; null when the text is a valid pattern. */
export function patternComplaint(written: string, options?: { ignoresCase?: boolean }): string | null {
  const reading = readPattern(written, options)
  return 'problem' in reading ? patternProblemText(reading.problem) : null
}
