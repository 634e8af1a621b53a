/** The mapping that turns a user name into another one by a regular expression, as in ManifoldCF. The pattern must match the whole name: one
 *  that matched a part would turn `anna@here.example.attacker.example` into the `anna` of `here.example`. */
import { z } from 'zod'
import { refusedAs } from '../../contract/calls/refusedValue.ts'
import { patternIssue, patternProblem } from '../../contract/shapes/pattern.ts'
import { message } from '../../contract/words/message.ts'
import { groupsOf, patternOf } from '../../patterns/pattern.ts'
import type { MappingConnector } from '../model/connector.ts'
import { readReplacement, replaced } from './replacement.ts'

interface PatternSettings {
  /** Pattern of the whole name. A name that does not match it is unknown. */
  match: string
  /** As `replacement.ts` reads it. */
  replacement: string
}

export const patternMapper: MappingConnector<PatternSettings> = {
  name: 'pattern',
  description: message('authority.pattern'),
  settings: z.strictObject({
    match: z.string().superRefine((match, { addIssue }) => {
      const problem = patternProblem(match) ?? patternProblem(whole(match))
      if (problem !== null) addIssue(patternIssue(problem))
    }),
    replacement: z.string().refine(
      (text) => readReplacement(text) !== undefined,
      refusedAs((field) => message('authority.pattern.replacement', { field })),
    ),
  }),
  open({ match, replacement }) {
    const groups = groupsOf(patternOf(whole(match)))
    const parts = readReplacement(replacement) ?? []
    return {
      async ask(name) {
        const found = groups(name)
        const user = found === null ? '' : replaced(parts, found)
        return { user: user === '' ? undefined : user }
      },
      check: async () => undefined,
    }
  },
}

function whole(match: string): string {
  return `^(?:${match})$`
}
