/** Why an address is answered as it is: the chain is asked once more, and what each link had to say is kept. Nothing is written down,
 *  and nothing is sent to a browser. */
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
import type { AskedQuestion } from './resolver.ts'
import type { BrowserRequest, Field } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'
import type { Shown, Viewing, Viewings } from '../viewings/viewings.ts'

export interface Message {
  status: number
  reason: string
  fields: Field[]
}

export interface ToExplain {
  url: string
  method: string
  /** For a window or a frame, which no other page may fill. */
  isPage: boolean
  /** Number of the answer that is to be explained, which then says all of that. */
  answer?: number | undefined
}

export interface Explained extends Omit<Trace, 'hops'> {
  view: Shown['view']
  url: string
  method: string
  key: string
  answeredBy: ViewerLink
  inexact: readonly string[]
  revisitHops: Tried[]
  /** Why the content of the capture is not whole. */
  truncated: Truncation | null
  archived: Message | null
  sent: Message
  isMissing: boolean
  elsewhere: Located[]
}

interface Parts {
  chain: Chain
  files: OpenFiles
  question: (request: BrowserRequest, viewing: Viewing) => AskedQuestion
  lastRequests: Pick<LastRequests, 'of'>
  viewings: Pick<Viewings, 'shared' | 'own'>
}

/** Asked as it was asked, by whom it was asked: with its fields (a part, a condition, a moment) and what was sent with it. Undefined:
 *  nothing is viewed. Rejects with `Fault` refused when it is not known what was sent, or that viewing has ended. */
export async function explain(parts: Parts, asked: ToExplain): Promise<Explained | undefined> {
  const { chain, files, question: made, viewings } = parts
  const { request, user } = requestOf(parts, asked)
  const viewing = user === '' ? viewings.shared : viewings.own().find((each) => each.user === user)
  if (viewing === undefined) throw new Fault('refused', 'The viewing in which this was asked has ended.')
  const { question, release } = made(request, viewing)
  try {
    const { shown } = question
    if (shown === undefined) return undefined
    const trace: Trace = { steps: [], candidates: [], hops: [] }
    const traced: Question = { ...question, trace }
    const answered = await chain(traced)
    await closeContent(answered.body)
    return await explained({ files, question: traced, shown, trace, answered })
  } finally {
    release()
  }
}

/** An address that was only typed is asked for as a page or a part of one; what sends something cannot be made up. */
function requestOf({ lastRequests }: Parts, { url, method, isPage, answer }: ToExplain) {
  const typed: LastRequest | undefined = isBare(method)
    ? { method, url, fields: isPage ? { 'sec-fetch-dest': 'document' } : {}, viewing: '', content: new Uint8Array(0) }
    : undefined
  const asked = answer === undefined && typed ? typed : (lastRequests.of({ answer, method, url }) ?? typed)
  const content = asked?.content
  if (asked === undefined || content === undefined)
    throw new Fault(
      'refused',
      `What was sent with this ${method} is not known any more, so its answer cannot be explained: have the page ask again.`,
    )
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

/** When nothing near enough to the moment is in the view, what is further away is worth knowing. */
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
  /** It answered a moment ago, and cannot be read now: a drive that was taken away meanwhile. */
  why: string | null
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
    return { ...noMessage, why: error.message }
  }
}
