/** The chain of responsibility that answers requests: each link answers a question or passes it on, and the reply names the
 *  link that answered. Modelled on the viewer proxy of NetarchiveSuite (control commands, data commands, unknown command,
 *  missing-URL notifier, archive access), whose last link is split here. */
import { message } from '../../contract/words/message.ts'
import { access } from '../links/access.ts'
import { controlCommands } from '../commands/controlCommands.ts'
import { dataCommands } from '../commands/dataCommands.ts'
import { exactCapture } from '../links/exactCapture.ts'
import { fuzzyCapture } from '../links/fuzzyCapture.ts'
import { growing } from '../links/growing.ts'
import { missing } from '../links/missing.ts'
import { notice } from '../links/notice.ts'
import { noView } from '../links/noView.ts'
import { otherJobs } from '../links/otherJobs.ts'
import { preflight } from '../links/preflight.ts'
import { refusals } from '../links/refusals.ts'
import { timeCommands } from '../commands/timeCommands.ts'
import { unknownCommand } from '../commands/unknownCommand.ts'
import type { Answered, Question } from '../viewings/question.ts'
import type { ChainParts } from '../replay/chainParts.ts'

/** Answers a question. Never resolves without a reply: the last link answers everything. */
export type Chain = (question: Question) => Promise<Answered>

/** Composes the links, in the order in which they are asked. */
export function openChain(parts: ChainParts): Chain {
  // Links for the command host.
  const commands = [controlCommands(parts), dataCommands(parts), timeCommands(parts)]
  const links = [
    ...commands,
    unknownCommand(commands),
    // Links for archived URLs.
    refusals,
    noView,
    access(parts),
    preflight,
    exactCapture(parts),
    growing,
    fuzzyCapture(parts),
    otherJobs(parts),
    notice(parts),
    missing,
  ]
  return async (question) => {
    for (const { name, answer, whyPassed } of links) {
      const reply = await answer(question)
      question.trace?.steps.push({
        link: name,
        message: reply === undefined ? whyPassed(question) : message('viewer.step.answered', { status: reply.status }),
      })
      if (reply !== undefined) return { ...reply, by: name }
    }
    throw new Error('the last link answers everything')
  }
}
