/** Resolves a browser's request: determines viewing and moment, asks the chain, and records the answer. */
import type { Caller } from '../../contract/calls/caller.ts'
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
import { plainReply, type BrowserRequest, type Resolver } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'
import type { Requester, Viewings } from '../viewings/viewings.ts'

interface Parts {
  chain: Chain
  viewings: Viewings
  findings: Findings
  answers: Answers
  lastRequests: LastRequests
  world: World
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
export function openResolver({ chain, viewings, findings, answers, lastRequests, world }: Parts): {
  resolve: Resolver
  question: (request: BrowserRequest, asker: Asker) => AskedQuestion
} {
  return {
    question: questionOf,
    async resolve(request) {
      if (!URL.canParse(request.url)) return plainReply(400, message('viewer.url.invalid'))
      const asker = viewings.of(request.credentials)
      if (asker === undefined) return enterChallenge()
      const { question, release } = questionOf(request, { ...asker, caller: asker.viewing.caller })
      try {
        const answered = await chain(question)
        recordAnswer({ findings, answers, lastRequests }, { question, answered, nowMs: world.clock.now() })
        const reply = question.url === request.url ? answered : withCharset(answered)
        return { ...reply, body: bodyNoted({ findings, answers }, question, answered) }
      } finally {
        release()
      }
    },
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
function questionOf(request: BrowserRequest, { viewing, hasCommandToken, caller }: Asker): AskedQuestion {
  const borrowed = viewing.borrow()
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
    shown: borrowed,
    moment: acceptDatetimeOf(fields) ?? borrowed?.view.moment ?? { kind: 'newest' },
    unreadable: [],
    otherCaptures: { captures: [], notSearched: [] },
    inexact: [],
  }
  return { question, release: () => borrowed?.release() }
}
