/** The last link, which always answers: that there is nothing, or nothing that can be read. What was harvested and cannot be read is
 *  not missing from the harvest. */
import type { Link, Question } from '../question.ts'
import { htmlPage, textReply, withoutBody, type Reply } from '../resolvers.ts'

export const missing: Link = {
  name: 'missing',
  passed: () => '',
  answer: async (question) => {
    const reply = question.unreadable.length > 0 ? cannotBeRead(question) : notInArchive(question)
    return question.method === 'HEAD' ? withoutBody(reply) : reply
  },
}

function notInArchive({ method, url, elsewhere }: Question): Reply {
  const what = method === 'GET' || method === 'HEAD' ? 'This address' : `An answer to ${method}`
  const others = [...new Set(elsewhere.captures.map(({ job }) => job))]
  const unknown =
    elsewhere.jobsUnknown.length === 0 ? '' : ` Not looked into yet: job ${elsewhere.jobsUnknown.join(', ')}.`
  const offer =
    others.length === 0
      ? ''
      : ` ${others.length === 1 ? `Job ${others[0]} has` : `The jobs ${others.join(', ')} have`} it: add ${others.length === 1 ? 'it' : 'them'} to what is viewed.`
  const page = htmlPage({
    title: 'Not in the archive',
    text: `${what} was not captured by the jobs that are shown.${offer}${unknown}`,
    url,
  })
  const reply = textReply({ status: 404, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'not-in-archive']] })
  return { ...reply, missing: true }
}

function cannotBeRead({ url, unreadable }: Question): Reply {
  const text = `This address was captured, but the archive cannot give it now: ${unreadable[0]?.error.message}.`
  const page = htmlPage({ title: 'Captured, but not readable', text, url })
  return textReply({ status: 503, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'unreadable']] })
}
