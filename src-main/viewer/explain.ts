/** Why an address is answered as it is: the chain is asked once more, and what each link had to say is kept. Nothing is written down,
 *  and nothing is sent to a browser. */
import type { ViewerLink } from '../contract/viewer.ts'
import { surt } from '../formats/cdx/surt.ts'
import type { IndexedCapture } from '../indexes/indexes.ts'
import { openRecord } from './archivedRecord.ts'
import { closeContent } from './content.ts'
import type { Chain } from './chain.ts'
import { candidatesMax } from './limits.ts'
import type { OpenFiles } from './openFiles.ts'
import type { Answered, Located, Question, Trace, Tried } from './question.ts'
import type { AskedQuestion } from './resolver.ts'
import type { BrowserRequest, Field } from './resolvers.ts'
import { Unreadable } from './unreadable.ts'
import type { Shown, Viewing } from './viewings.ts'

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
}

export interface Explained extends Omit<Trace, 'hops'> {
  view: Shown['view']
  url: string
  method: string
  key: string
  answeredBy: ViewerLink
  inexact: readonly string[]
  revisitHops: Tried[]
  archived: Message | null
  sent: Message
  isMissing: boolean
  elsewhere: Located[]
}

interface Parts {
  chain: Chain
  files: OpenFiles
  question: (request: BrowserRequest, viewing: Viewing) => AskedQuestion
}

/** Undefined: nothing is viewed. */
export async function explain(
  { chain, files, question: made }: Parts,
  viewing: Viewing,
  { url, method, isPage }: ToExplain,
): Promise<Explained | undefined> {
  const request: BrowserRequest = {
    ...{ url, method, credentials: undefined },
    fields: isPage ? { 'sec-fetch-dest': 'document' } : {},
    content: async () => new Uint8Array(0),
    signal: new AbortController().signal,
  }
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

async function explained(made: {
  files: OpenFiles
  question: Question
  shown: Shown
  trace: Trace
  answered: Answered
}): Promise<Explained> {
  const { files, question, shown, trace, answered } = made
  const { url, method } = question
  const { capture, by, status, reason, fields } = answered
  const { archived, why } = capture ? await recordTold(files, capture) : nothingTold
  return {
    steps: trace.steps,
    candidates: trace.candidates.map((each) => (why !== null && each.isUsed ? { ...each, why } : each)),
    ...{ view: shown.view, url, method, key: surt(url), answeredBy: by },
    ...{ inexact: question.inexact, revisitHops: trace.hops, archived },
    sent: { status, reason, fields: [...fields] },
    isMissing: answered.missing,
    elsewhere: [...atOtherTimes(question, shown, capture), ...question.elsewhere.captures],
  }
}

/** When nothing near enough to the moment is in the view, what is further away is worth knowing. */
function atOtherTimes({ url, moment }: Question, { view, index }: Shown, used: IndexedCapture | undefined): Located[] {
  if (used !== undefined || view.withinMs === undefined) return []
  return index.candidates({ url, moment }, candidatesMax)
}

interface RecordTold extends Pick<Explained, 'archived'> {
  /** It answered a moment ago, and cannot be read now: a drive that was taken away meanwhile. */
  why: string | null
}

const nothingTold: RecordTold = { archived: null, why: null }

async function recordTold(files: OpenFiles, capture: IndexedCapture): Promise<RecordTold> {
  try {
    const { head, body } = await openRecord(files, capture)
    await closeContent(body)
    const { status, reason, fields } = head
    return { archived: { status, reason, fields: [...fields] }, why: null }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { ...nothingTold, why: error.message }
  }
}
