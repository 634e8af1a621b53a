/** Answers while the index is still being built and has no capture of the URL, so it is not known whether there is one. Such a
 *  reply is not a finding. It comes before fuzzy captures, because an exact one may still come. */
import { message, type Message } from '../../contract/words/message.ts'
import { isNavigation } from '../model/browserRequests.ts'
import { growingRetrySeconds } from '../model/limits.ts'
import type { Link, Question } from '../viewings/question.ts'
import type { Shown } from '../viewings/viewings.ts'
import { htmlPage, plainReply, textReply, withoutBody, type Field, type Reply } from '../model/reply.ts'

export const growing: Link = {
  name: 'growing',
  whyPassed: () => message('viewer.step.index'),
  async answer(question) {
    const asked = whileGrowing(question)
    if (asked === undefined) return undefined
    const reply = isNavigation(question.fields) ? page(asked) : plain(asked)
    return question.method === 'HEAD' ? withoutBody(reply) : reply
  },
}

/** For commands whose lists must be complete. Undefined: the index is complete. */
export function notYetWhole(question: Question): Reply | undefined {
  const asked = whileGrowing(question)
  return asked && plain(asked)
}

/** A question to a view whose index is being built. */
type Asked = Pick<Question, 'url'> & { shown: Shown }

function whileGrowing({ url, shown }: Question): Asked | undefined {
  return shown?.index.isGrowing === true ? { url, shown } : undefined
}

/** `X-Loupe` names the kind of a reply that Loupe makes itself. */
const fields: Field[] = [
  ['X-Loupe', 'growing'],
  ['Retry-After', String(growingRetrySeconds)],
]

function plain(question: Asked): Reply {
  return plainReply(503, message('viewer.growing.retry', { progress: progressMessage(question.shown) }), fields)
}

function page(question: Asked): Reply {
  const text = htmlPage({
    title: message('viewer.growing.title'),
    text: [message('viewer.growing.page', { progress: progressMessage(question.shown) })],
    url: question.url,
    head: `<meta http-equiv="refresh" content="${growingRetrySeconds}">`,
  })
  return textReply({ status: 503, text, mediaType: 'text/html', fields })
}

/** Describes how far the index has been built. */
export function progressMessage({ index }: Pick<Shown, 'index'>): Message {
  const { filesDone: done, filesTotal: total, jobsDone, captures } = index.progress
  const jobs = index.completeness.jobsFound.length
  if (jobs === 0) return message('viewer.growing.files', { done, total, captures })
  return message('viewer.growing.jobs', { done, total, jobsDone, jobs, captures })
}
