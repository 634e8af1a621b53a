/** The last link, which always answers: the URL was not captured, or none of its captures can be read. The latter is not
 *  missing from the harvest. */
import { selectionText } from '../../contract/shapes/selection.ts'
import type { Link, Question } from '../viewings/question.ts'
import { htmlPage, textReply, withoutBody, type Reply } from '../model/reply.ts'
import { sourcesText } from './sourcesText.ts'

export const missing: Link = {
  name: 'missing',
  whyPassed: () => '',
  answer: async (question) => {
    const reply = question.unreadable.length > 0 ? cannotBeRead(question) : notInArchive(question)
    return question.method === 'HEAD' ? withoutBody(reply) : reply
  },
}

function notInArchive({ method, url, otherCaptures: { captures, notSearched }, shown }: Question): Reply {
  const what = method === 'GET' || method === 'HEAD' ? 'This URL' : `An answer to ${method}`
  const where = shown ? selectionText(shown.view) : 'what is viewed'
  const unknown = notSearched.length === 0 ? '' : ` Not searched yet: ${sourcesText(notSearched)}.`
  const offer =
    captures.length === 0
      ? ''
      : ` It was captured in ${sourcesText(captures.map(({ job }) => job))}, which you can add to the view.`
  const page = htmlPage({
    title: 'Not in the archive',
    text: `${what} was not captured in ${where}.${offer}${unknown}`,
    url,
  })
  const reply = textReply({ status: 404, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'not-in-archive']] })
  return { ...reply, missing: true }
}

function cannotBeRead({ url, unreadable }: Question): Reply {
  const text = `This URL was captured, but cannot be read from the archive now: ${unreadable[0]?.error.message}.`
  const page = htmlPage({ title: 'Captured, but cannot be read', text, url })
  return textReply({ status: 503, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'unreadable']] })
}
