/** Answers while the index is still being built and has no capture of the URL, so it is not known whether there is one. Such a
 *  reply is not a finding. It comes before fuzzy captures, because an exact one may still come. */
import { isNavigation } from '../model/browserRequests.ts'
import { growingRetrySeconds } from '../model/limits.ts'
import type { Link, Question } from '../viewings/question.ts'
import { htmlPage, plainReply, textReply, withoutBody, type Field, type Reply } from '../model/reply.ts'

export const growing: Link = {
  name: 'growing',
  whyPassed: () => 'The index is complete.',
  async answer(question) {
    if (question.shown?.index.isGrowing !== true) return undefined
    const reply = isNavigation(question.fields) ? page(question) : plain(question)
    return question.method === 'HEAD' ? withoutBody(reply) : reply
  },
}

/** For commands whose lists must be complete. Undefined: the index is complete. */
export function notYetWhole(question: Question): Reply | undefined {
  return question.shown?.index.isGrowing === true ? plain(question) : undefined
}

/** `X-Loupe` names the kind of a reply that Loupe makes itself. */
const fields: Field[] = [
  ['X-Loupe', 'growing'],
  ['Retry-After', String(growingRetrySeconds)],
]

function plain(question: Question): Reply {
  return plainReply(503, `${progressText(question)} Try again in a moment.`, fields)
}

function page(question: Question): Reply {
  const text = htmlPage({
    title: 'The index is being built',
    text: `${progressText(question)} This URL is not in it yet. This page reloads automatically.`,
    url: question.url,
    head: `<meta http-equiv="refresh" content="${growingRetrySeconds}">`,
  })
  return textReply({ status: 503, text, mediaType: 'text/html', fields })
}

export function progressText({ shown }: Pick<Question, 'shown'>): string {
  if (shown === undefined) return ''
  const { filesDone, filesTotal, jobsDone, captures } = shown.index.progress
  const { jobsFound } = shown.index.completeness
  const jobs = jobsFound.length === 0 ? '' : ` and ${jobsDone} of ${jobsFound.length} jobs`
  return `The index is being built: ${filesDone} of ${filesTotal} files${jobs} done, ${captures} captures so far.`
}
