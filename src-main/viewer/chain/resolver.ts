/** Resolves a browser's request: determines viewing and moment, asks the chain, and records the answer. */
import type { Caller } from '../../contract/calls/caller.ts'
import type { Sight } from '../../access/access.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { archivedAddress } from '../../contract/text/viewerAddresses.ts'
import type { World } from '../../world/world.ts'
import type { Answers } from '../viewings/answers.ts'
import { acceptDatetimeOf } from '../replay/acceptDatetime.ts'
import type { Chain } from './chain.ts'
import { watched, type Content } from '../model/content.ts'
import { enterChallenge } from '../commands/controlCommands.ts'
import type { Findings } from '../viewings/findings.ts'
import { withCharset } from '../replay/charset.ts'
import type { LastRequests } from '../viewings/lastRequests.ts'
import { recordAnswer, recordBroken } from '../links/recordAnswer.ts'
import type { Answered, Question } from '../viewings/question.ts'
import { faultReply, plainReply, type BrowserRequest, type Reply, type Resolver } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'
import { partFor } from '../viewings/partFor.ts'
import type { Requester, Viewings } from '../viewings/viewings.ts'

interface Parts {
  chain: Chain
  viewings: Viewings
  findings: Findings
  answers: Answers
  lastRequests: LastRequests
  world: World
  /** What a caller may see. Rejects with `Fault`: then nothing is shown. */
  sightFor: (caller: Caller) => Promise<Sight>
}

/** Who makes a request, and in which viewing. */
export interface Asker extends Requester {
  caller: Caller
}

/** A question to the chain. `release` must be called when it has been answered: until then the index of its view
 *  stays open. */
export interface AskedQuestion {
  question: Question
  release: () => void
}

/** Makes the resolver, and the function that makes questions, which explanations use too. */
export function openResolver({ chain, viewings, findings, answers, lastRequests, world, sightFor }: Parts): {
  resolve: Resolver
  /** Answers in the shared viewing, without its command token: for requests that were admitted elsewhere. */
  resolveShared: Resolver
  question: (request: BrowserRequest, asker: Asker, sight: Sight) => AskedQuestion
} {
  return {
    question: questionOf,
    resolve: (request) => resolveFor(viewings.of(request.credentials), request),
    resolveShared: (request) => resolveFor({ viewing: viewings.shared, hasCommandToken: false }, request),
  }

  async function resolveFor(asker: Requester | undefined, request: BrowserRequest): Promise<Reply> {
    if (!URL.canParse(request.url)) return plainReply(400, message('viewer.url.invalid'))
    if (asker === undefined) return enterChallenge()
    const { caller } = asker.viewing
    const sight = await sightFor(caller).catch(faultReplied)
    if ('status' in sight) return sight
    const { question, release } = questionOf(request, { ...asker, caller }, sight)
    try {
      const answered = await chain(question)
      recordAnswer({ findings, answers, lastRequests }, { question, answered, nowMs: world.clock.now() })
      const reply = question.url === request.url ? answered : withCharset(answered)
      return { ...reply, body: bodyNoted({ findings, answers }, question, answered) }
    } finally {
      release()
    }
  }
}

/** Records damage of bodies that were too large to be read before they are sent. */
function bodyNoted(
  parts: Pick<Parts, 'findings' | 'answers'>,
  question: Question,
  { body, capture }: Answered,
): Content {
  if (capture === undefined) return body
  return watched(body, (error) => {
    if (error instanceof Unreadable) recordBroken(parts, question, { capture, error })
  })
}

/** Makes the question for a request: the view, and the moment that Accept-Datetime may choose. */
function questionOf(request: BrowserRequest, { viewing, hasCommandToken, caller }: Asker, sight: Sight): AskedQuestion {
  const borrowed = viewing.borrow()
  const part = borrowed && partFor(borrowed.index, sight)
  const { referer } = request.fields
  const fields = referer === undefined ? request.fields : { ...request.fields, referer: archivedAddress(referer) }
  const question: Question = {
    ...request,
    // URLs under the host name of folders are looked up as `file:` URLs.
    url: archivedAddress(request.url),
    fields,
    viewing,
    caller,
    hasCommandToken,
    sight,
    isHidden: (asked) => part?.nearest(asked) === undefined && borrowed?.index.nearest(asked) !== undefined,
    shown: borrowed && part && { ...borrowed, index: part },
    moment: acceptDatetimeOf(fields) ?? borrowed?.view.moment ?? { kind: 'newest' },
    unreadable: [],
    otherCaptures: { captures: [], notSearched: [] },
    inexact: [],
  }
  return { question, release: () => borrowed?.release() }
}

function faultReplied(error: unknown): Reply {
  if (error instanceof Fault) return faultReply(error)
  throw error
}
