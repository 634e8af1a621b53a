/** The captures of the very address that was asked, in order of preference: the one nearest in time first, a revisit by what it stands
 *  for. A capture that cannot be read gives way to the next; one that would lead round in a circle too. */
import { candidatesMax } from '../limits.ts'
import type { ChainParts } from '../chainParts.ts'
import type { Link } from '../question.ts'
import { askedOf, firstThatAnswers } from '../captures.ts'

export const exactCapture = (parts: ChainParts): Link => ({
  name: 'exactCapture',
  passed: ({ trace }) =>
    trace?.candidates.length
      ? 'No capture of this address could answer.'
      : 'No capture has this address, near enough to the moment.',
  async answer(question) {
    const asked = await askedOf(question)
    if (asked === undefined) return undefined
    return firstThatAnswers(parts, question, question.shown?.index.candidates(asked, candidatesMax) ?? [])
  },
})
