/** The captures of the very address that was asked, in order of preference: the one nearest in time first, a revisit by what it stands
 *  for. A capture that cannot be read gives way to the next; one that would lead round in a circle too. As long as the index grows it
 *  is looked for again, for a while. */
import type { Asked, IndexedCapture } from '../../indexes/indexes.ts'
import { isNavigation } from '../background.ts'
import { candidatesMax, growthLookMs, growthPageMsMax, growthPartMsMax } from '../limits.ts'
import type { ChainParts } from '../chainParts.ts'
import type { Link, Question } from '../question.ts'
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
    return firstThatAnswers(parts, question, await candidates(parts, question, asked))
  },
})

async function candidates({ world: { clock } }: ChainParts, question: Question, asked: Asked) {
  const { shown, trace, fields, signal } = question
  const look = (): IndexedCapture[] => shown?.index.candidates(asked, candidatesMax) ?? []
  const untilMs = clock.elapsed() + (trace ? 0 : isNavigation(fields) ? growthPageMsMax : growthPartMsMax)
  let found = look()
  // In this order: when it has become whole there may be more than at the last look.
  while (found.length === 0 && shown?.index.isGrowing && clock.elapsed() < untilMs) {
    await clock.sleep(growthLookMs, signal)
    found = look()
  }
  return found
}
