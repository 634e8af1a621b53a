/** The captures of the very address that was asked, in order of preference: the one nearest in time first, a revisit by what it stands
 *  for. A capture that cannot be read gives way to the next; one that would lead round in a circle too. As long as the index grows it
 *  is looked for again, for a while. */
import type { CaptureLookup, IndexedCapture } from '../../indexes/indexes.ts'
import { isNavigation } from '../model/browserRequests.ts'
import { candidatesMax, growingPollMs, growingPageWaitMsMax, growingPartWaitMsMax } from '../model/limits.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Link, Question } from '../viewings/question.ts'
import { askedOf, firstThatAnswers } from '../replay/captures.ts'
import type { Shown } from '../viewings/viewings.ts'

export const exactCapture = (parts: ChainParts): Link => ({
  name: 'exactCapture',
  whyPassed: ({ trace }) =>
    trace?.candidates.length
      ? 'No capture of this address could answer.'
      : 'No capture has this address, near enough to the moment.',
  async answer(question) {
    const asked = await askedOf(question)
    if (asked === undefined) return undefined
    const first = await firstFound(parts, question, asked)
    const { shown } = question
    return first && shown && firstThatAnswers(parts, question, candidates(shown, asked, first))
  },
})

async function firstFound({ world: { clock } }: ChainParts, question: Question, asked: CaptureLookup) {
  const { shown, trace, fields, signal } = question
  const look = () => shown?.index.nearest(asked)
  const untilMs = clock.elapsed() + (trace ? 0 : isNavigation(fields) ? growingPageWaitMsMax : growingPartWaitMsMax)
  let found = look()
  // In this order: when it has become whole there may be more than at the last look.
  while (found === undefined && shown?.index.isGrowing && clock.elapsed() < untilMs) {
    await clock.sleep(growingPollMs, signal)
    found = look()
  }
  return found
}

/** The others are looked up only when somebody goes on to them: the first nearly always answers. */
function* candidates({ index }: Shown, asked: CaptureLookup, first: IndexedCapture): Generator<IndexedCapture> {
  yield first
  for (const each of index.candidates(asked, candidatesMax))
    if (each.filename !== first.filename || each.offset !== first.offset) yield each
}
