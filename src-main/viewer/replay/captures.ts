/** Selects the capture that answers, for the links that look captures up. */
import { message, type Message } from '../../contract/words/message.ts'
import type { CaptureLookup, IndexedCapture } from '../../indexes/indexes.ts'
import { isAllowed } from '../model/accessRules.ts'
import type { ChainParts } from './chainParts.ts'
import { isRedirectLoop } from './redirectLoops.ts'
import { closeContent } from '../model/content.ts'
import { withCorsFields } from './crossOrigin.ts'
import { linksOf, varyingByMoment } from './mementos.ts'
import type { Question } from '../viewings/question.ts'
import { replayCapture } from './replay.ts'
import type { Field, Reply } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'
import type { Shown } from '../viewings/viewings.ts'

/** The lookup for a question. Undefined if the request content is too large to be looked up. */
export async function askedOf({
  url,
  method,
  fields,
  content,
  moment,
  shown,
}: Question): Promise<CaptureLookup | undefined> {
  const withinMs = moment.kind === 'nearest' ? shown?.view.withinMs : undefined
  const asked: CaptureLookup = { url, moment, ...(withinMs !== undefined && { withinMs }) }
  if (method === 'GET' || method === 'HEAD') return asked
  const sent = await content()
  return sent && { ...asked, sent: { method, mediaType: fields['content-type'] ?? '', content: sent } }
}

/** Whether the view has captures for a question, and its caller may see none of them. */
export async function isHidden(question: Question): Promise<boolean> {
  if (question.sight.everything) return false
  const asked = await askedOf(question)
  return asked !== undefined && question.isHidden(asked)
}

/** What is needed to try a capture. */
type TriedWith = Pick<ChainParts, 'files' | 'accessRules' | 'allowedOrigins' | 'otherCaptures' | 'onProblem'>

/** The reply of the first capture that can answer. For an explanation the remaining ones are listed too. */
export async function firstThatAnswers(
  parts: TriedWith,
  question: Question,
  captures: Iterable<IndexedCapture>,
): Promise<Reply | undefined> {
  const { trace } = question
  let answered: Reply | undefined
  for (const capture of captures) {
    if (answered) {
      trace?.candidates.push({ capture, isUsed: false, why: null })
      continue
    }
    const tried = await tryCapture(parts, question, capture)
    const isUsed = !('code' in tried)
    trace?.candidates.push({ capture, isUsed, why: isUsed ? null : tried })
    if (isUsed) answered = tried
    if (answered && !trace) break
  }
  return answered
}

/** The reply, or why the capture cannot answer. */
async function tryCapture(
  { files, accessRules, allowedOrigins, otherCaptures, onProblem }: TriedWith,
  question: Question,
  capture: IndexedCapture,
): Promise<Reply | Message> {
  const { shown, trace, unreadable, url } = question
  if (shown === undefined) return message('viewer.capture.noView')
  if (!isAllowed(capture.url, accessRules())) return message('viewer.capture.hidden')
  try {
    const replaying = {
      ...{ files, index: shown.index, request: question, hops: trace?.hops },
      otherCaptures: (of: string) => otherCaptures(of, shown.view),
    }
    const reply = await replayCapture(replaying, capture)
    if (reply === undefined) return message('viewer.capture.unfit')
    if (await isRedirectLoop({ question, shown, files, accessRules }, reply)) {
      await closeContent(reply.body)
      return message('viewer.capture.loop')
    }
    const fields = withCorsFields(question.fields.origin, reply.fields, allowedOrigins)
    return withLinks({ ...reply, fields }, capture, shown)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    unreadable.push({ capture, error })
    if (!trace) onProblem(error, (problem) => message('viewer.problem.showing', { url, problem }))
    return error.userMessage
  }
}

/** Adds Memento links (RFC 7089 2.2), and the progress of the index while it is being built, because a better capture may still
 *  come. */
function withLinks(reply: Reply, { url }: IndexedCapture, { index: { isGrowing, progress } }: Shown): Reply {
  const growth: Field[] = isGrowing
    ? [['X-Loupe-Growing', `${progress.filesDone} of ${progress.filesTotal} files`]]
    : []
  return { ...reply, fields: [...varyingByMoment(reply.fields), ['Link', linksOf(url)], ...growth] }
}
