/** Answers from captures of exactly this URL, in order of preference: nearest in time first. A capture that cannot be read, or
 *  that would cause a redirect loop, is skipped. While the index is being built the lookup is repeated for a while. */
import { message } from '../../contract/words/message.ts'
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
    trace?.candidates.length ? message('viewer.step.captures.unusable') : message('viewer.step.captures.none'),
  async answer(question) {
    const asked = await askedOf(question)
    if (asked === undefined) return undefined
    const first = await firstFound(parts, question, asked)
    const { shown } = question
    return first && shown && firstThatAnswers(parts, question, candidates(shown, asked, first))
  },
})

/** Looks the best capture up. While the index grows, waits for a limited time, longer for pages than for their
 *  parts. */
async function firstFound({ world: { clock } }: ChainParts, question: Question, asked: CaptureLookup) {
  const { shown, trace, fields, signal } = question
  const look = () => shown?.index.nearest(asked)
  const untilMs = clock.elapsed() + (trace ? 0 : isNavigation(fields) ? growingPageWaitMsMax : growingPartWaitMsMax)
  let found = look()
  // In this order, because the index may have become complete after the last lookup.
  while (found === undefined && shown?.index.isGrowing && clock.elapsed() < untilMs) {
    await clock.sleep(growingPollMs, signal)
    found = look()
  }
  return found
}

/** All candidates. The others are looked up only if the first cannot answer, which is rare. */
function* candidates({ index }: Shown, asked: CaptureLookup, first: IndexedCapture): Generator<IndexedCapture> {
  yield first
  for (const each of index.candidates(asked, candidatesMax))
    if (each.filename !== first.filename || each.offset !== first.offset) yield each
}
