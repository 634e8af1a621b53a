/** The index of what is viewed is still being made, and has no capture of the address: nobody knows yet whether there is one. The
 *  answer says so and is no finding. Before the inexact ones, since the very address may yet come. */
import { isNavigation } from '../model/browserRequests.ts'
import { growingRetrySeconds } from '../model/limits.ts'
import type { Link, Question } from '../viewings/question.ts'
import { htmlPage, plainReply, textReply, withoutBody, type Field, type Reply } from '../model/reply.ts'

export const growing: Link = {
  name: 'growing',
  whyPassed: () => 'The index of what is viewed is whole.',
  async answer(question) {
    if (question.shown?.index.isGrowing !== true) return undefined
    const reply = isNavigation(question.fields) ? page(question) : plain(question)
    return question.method === 'HEAD' ? withoutBody(reply) : reply
  },
}

/** For the command host, whose lists are whole or are not given. */
export function notYetWhole(question: Question): Reply | undefined {
  return question.shown?.index.isGrowing === true ? plain(question) : undefined
}

/** `X-Loupe` says of which kind an answer of ours is. */
const fields: Field[] = [
  ['X-Loupe', 'growing'],
  ['Retry-After', String(growingRetrySeconds)],
]

function plain(question: Question): Reply {
  return plainReply(503, `${progressText(question)} Ask again in a moment.`, fields)
}

function page(question: Question): Reply {
  const text = htmlPage({
    title: 'The index is growing',
    text: `${progressText(question)} This address is not among them; this page asks for it again by itself.`,
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
  return `The index of what is viewed is being made: ${filesDone} of ${filesTotal} files${jobs} are in it, with ${captures} captures.`
}
