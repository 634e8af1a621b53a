/** Records answers: in the list of last answers, and as findings if the archived response is an error or cannot be read. No
 *  reply is changed. */
import { storedMessage } from '../../contract/words/message.ts'
import type { Answer } from '../../contract/services/viewer.ts'
import type { Answers } from '../viewings/answers.ts'
import { isBrowsersOwn, isNavigation } from '../model/browserRequests.ts'
import { commandOf } from '../model/commandHost.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { LastRequests } from '../viewings/lastRequests.ts'
import type { Answered, Question } from '../viewings/question.ts'
import type { Field } from '../model/reply.ts'
import { resourceTypeOf } from '../model/resourceType.ts'

/** Records one answer, which has been decided but perhaps not been sent completely. */
export function recordAnswer(
  { findings, answers, lastRequests }: Pick<ChainParts, 'findings' | 'answers'> & { lastRequests: LastRequests },
  { question, answered, nowMs }: { question: Question; answered: Answered; nowMs: number },
): void {
  const { shown, viewing, url, method, fields, unreadable } = question
  const { capture, status } = answered
  if (!shown || commandOf(url) || (capture === undefined && isBrowsersOwn(new URL(url), fields))) return
  const requester = requesterOf(answers, question)
  const { view } = shown.view
  const id = answers.note({
    view,
    at: new Date(nowMs).toISOString(),
    ...requester,
    ...answerOf(question, answered),
  })
  lastRequests.note(id, question)
  if (!viewing.isRecording) return
  for (const each of unreadable) findings.note({ ...requester, view, url, method, ...unreadableFinding(each) })
  // A 412 or 416 may refuse a request for an archived error.
  const archivedStatus = capture?.status ?? status
  if (capture && archivedStatus >= 400)
    findings.note({ ...requester, view, kind: 'archivedError', url, method, status: archivedStatus, file: capture.filename, offset: capture.offset, detail: null }) // prettier-ignore
}

/** Records damage that was noticed while a body was being sent, after the answer was recorded. */
export function recordBroken(
  { findings, answers }: Pick<ChainParts, 'findings' | 'answers'>,
  question: Question,
  found: CannotBeRead,
): void {
  const { shown, viewing, url, method } = question
  if (shown && viewing.isRecording)
    findings.note({
      ...requesterOf(answers, question),
      view: shown.view.view,
      url,
      method,
      ...unreadableFinding(found),
    })
}

type CannotBeRead = Question['unreadable'][number]

function unreadableFinding({ capture: { filename, offset }, error }: CannotBeRead) {
  return { kind: 'unreadable', status: null, file: filename, offset, detail: storedMessage(error.userMessage) } as const
}

/** Who made the request, and for which type of resource. */
export function requesterOf(answers: Answers, question: Question) {
  const {
    viewing: { user: viewing },
    shown,
    url,
    fields: { referer: referrer = '' },
  } = question
  const initiator = shown === undefined ? '' : answers.initiatorOf({ viewing, view: shown.view.view, url, referrer })
  return { viewing, referrer, initiator, resourceType: resourceTypeOf(question) }
}

function answerOf(
  { method, url, fields: asked, inexact }: Question,
  { status, fields, representation = { status, fields }, capture, truncated, by }: Answered,
): Omit<Answer, 'id' | 'view' | 'viewing' | 'at' | 'referrer' | 'initiator' | 'resourceType'> {
  const bytes = fieldIn(fields, 'content-length')
  return {
    method,
    url,
    navigation: isNavigation(asked),
    by,
    found: capture !== undefined,
    // For a 304, the status of the response that the browser has.
    status: representation.status,
    mediaType: fieldIn(representation.fields, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? null,
    isAttachment: /^\s*attachment\b/i.test(fieldIn(representation.fields, 'content-disposition') ?? ''),
    bytes: bytes === undefined ? null : Number(bytes),
    captured: capture === undefined ? null : new Date(capture.timestampMs).toISOString(),
    capturedUrl: capture === undefined || capture.url === url ? null : capture.url,
    inexact: [...inexact],
    truncated: truncated ?? null,
    job: capture?.job ?? null,
    file: capture?.filename ?? null,
    offset: capture?.offset ?? null,
  }
}

/** Returns the value of the first field with this name, given in lower case. */
function fieldIn(fields: readonly Field[], wanted: string): string | undefined {
  return fields.find(([name]) => name.toLowerCase() === wanted)?.[1]
}
