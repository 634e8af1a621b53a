/** A regular expression as a person types it, wherever one is typed: whether it is one, and else a sentence that says what is
 *  wrong and what to write instead. How it is matched is `patterns`. */
import { z } from 'zod'
import { readPattern } from '../../patterns/pattern.ts'
import { patternProblemText } from '../../patterns/problems.ts'

export const patternShape = z.string().superRefine((written, { addIssue }) => {
  const message = patternComplaint(written)
  if (message !== null) addIssue({ code: 'custom', message })
})

/** Null: it is a pattern. */
export function patternComplaint(written: string, options?: { ignoresCase?: boolean }): string | null {
  const reading = readPattern(written, options)
  return 'problem' in reading ? patternProblemText(reading.problem) : null
}
