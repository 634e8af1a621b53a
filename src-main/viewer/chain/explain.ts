/** Explains a reply: asks the chain again and collects what each link did. Nothing is recorded, and nothing is sent to a
 *  browser. */
import type { Sight } from '../../access/access.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { ViewerLink } from '../../contract/services/viewer.ts'
import type { Truncation } from '../../contract/states/outcomes.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { lookupKeyOf, type CaptureLookup, type IndexedCapture } from '../../indexes/indexes.ts'
import { openRecord } from '../records/archivedRecord.ts'
import { askedOf } from '../replay/captures.ts'
import { closeContent } from '../model/content.ts'
import type { Chain } from './chain.ts'
import { isBare, type LastRequest, type LastRequests } from '../viewings/lastRequests.ts'
import { candidatesMax } from '../model/limits.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import type { Answered, Located, Question, Trace, Tried } from '../viewings/question.ts'
import type { AskedQuestion, Asker } from './resolver.ts'
import type { BrowserRequest, Field } from '../model/reply.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import { Unreadable } from '../model/unreadable.ts'
import type { Shown, Viewings } from '../viewings/viewings.ts'

/** An HTTP message without its content. */
export interface HttpMessage {
  status: number
  reason: string
  fields: Field[]
}

/** The request to explain. */
export interface ToExplain {
  url: string
  method: string
  /** The request is for a window or frame, where another page is never shown instead. */
  isPage: boolean
  /** Number of the answer to explain, which then determines everything else. */
  answer?: number | undefined
}

/** What each link did, the captures that were considered, and the reply with its archived original. */
export interface Explained extends Omit<Trace, 'hops'> {
  view: Shown['view']
  url: string
  method: string
  key: string
  answeredBy: ViewerLink
  inexact: readonly string[]
  revisitHops: Tried[]
  /** Why the content of the capture is incomplete. */
  truncated: Truncation | null
  archived: HttpMessage | null
  sent: HttpMessage
  isMissing: boolean
  elsewhere: Located[]
}

interface Parts {
  chain: Chain
  files: OpenFiles
  question: (request: BrowserRequest, asker: Asker, sight: Sight) => AskedQuestion
  sightFor: (caller: Caller) => Promise<Sight>
  lastRequests: Pick<LastRequests, 'of'>
  viewings: Pick<Viewings, 'shared' | 'own'>
}

/** Repeats the request of the same viewing with its fields (range, conditions, Accept-Datetime) and content. Undefined: no view
 *  is open. Rejects with `Fault` refused if the content is no longer known, or that viewing was closed. */
export async function explain(parts: Parts, asked: ToExplain, caller: Caller): Promise<Explained | undefined> {
  const { chain, files, question: made, viewings, sightFor } = parts
  const { request, user } = requestOf(parts, asked)
  const viewing = user === '' ? viewings.shared : viewings.own().find((each) => each.user === user)
  if (viewing === undefined) throw new Fault('refused', message('viewer.explain.closed'))
  const { question, release } = made(request, { viewing, caller, hasCommandToken: false }, await sightFor(caller))
  try {
    const { shown } = question
    if (shown === undefined) return undefined
    const trace: Trace = { steps: [], candidates: [], hops: [] }
    const traced: Question = { ...question, trace }
    const answered = await chain(traced)
    await closeContent(answered.body)
    // A revisit is shown by its own rules, and may have its content from a capture that is hidden.
    const hops = trace.hops.filter((hop) => question.sight.capture(hop.capture))
    return await explained({ files, question: traced, shown, trace: { ...trace, hops }, answered })
  } finally {
    release()
  }
}

/** The request to repeat. A typed URL is requested as a page or as a resource; requests with content cannot be made up. */
function requestOf({ lastRequests }: Parts, { url, method, isPage, answer }: ToExplain) {
  const typed: LastRequest | undefined = isBare(method)
    ? { method, url, fields: isPage ? { 'sec-fetch-dest': 'document' } : {}, viewing: '', content: new Uint8Array(0) }
    : undefined
  const asked = answer === undefined && typed ? typed : (lastRequests.of({ answer, method, url }) ?? typed)
  const content = asked?.content
  if (asked === undefined || content === undefined)
    throw new Fault('refused', message('viewer.explain.noContent', { method }))
  const request: BrowserRequest = {
    ...{ method: asked.method, url: asked.url, fields: asked.fields, credentials: undefined },
    content: async () => content,
    signal: new AbortController().signal,
  }
  return { request, user: asked.viewing }
}

async function explained(made: {
  files: OpenFiles
  question: Question
  shown: Shown
  trace: Trace
  answered: Answered
}): Promise<Explained> {
  const { files, question, shown, trace, answered } = made
  const { url, method } = question
  const asked = await askedOf(question)
  const { capture, by, status, reason, fields, truncated = null } = answered
  const record = capture?.recordType === 'duplicate' ? trace.hops.find(({ isUsed }) => isUsed)?.capture : capture
  const { archived, why } = record ? await archivedMessage(files, record, question.signal) : noMessage
  return {
    steps: trace.steps,
    candidates: trace.candidates.map((each) => (why !== null && each.isUsed ? { ...each, why } : each)),
    ...{ view: shown.view, url, method, key: lookupKeyOf(asked ?? { url }).key, answeredBy: by },
    ...{ inexact: question.inexact, revisitHops: trace.hops, truncated, archived },
    sent: { status, reason, fields: [...fields] },
    isMissing: answered.missing,
    elsewhere: [...atOtherTimes(asked, shown, capture), ...question.otherCaptures.captures],
  }
}

/** Captures further from the moment than the view allows, if no other capture answered. */
function atOtherTimes(
  asked: CaptureLookup | undefined,
  { view, index }: Shown,
  used: IndexedCapture | undefined,
): Located[] {
  if (asked === undefined || used !== undefined || view.withinMs === undefined) return []
  const { withinMs: _, ...anyTime } = asked
  return index.candidates(anyTime, candidatesMax)
}

interface ArchivedMessage extends Pick<Explained, 'archived'> {
  /** Why the record cannot be read any more, for example because its drive was removed. */
  why: Message | null
}

const noMessage: ArchivedMessage = { archived: null, why: null }

async function archivedMessage(files: OpenFiles, capture: Located, signal: AbortSignal): Promise<ArchivedMessage> {
  try {
    const { head, body } = await openRecord(files, { ...capture, length: capture.length ?? 0 }, signal)
    await closeContent(body)
    const { status, reason, fields } = head
    return { archived: { status, reason, fields: [...fields] }, why: null }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { ...noMessage, why: error.userMessage }
  }
}
