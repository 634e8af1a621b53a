/** The last link, which always answers: the URL was not captured, or none of its captures can be read. The latter is not
 *  missing from the harvest. */
import { message, type Message } from '../../contract/words/message.ts'
import { selectionMessage } from '../../contract/shapes/selection.ts'
import type { Link, Question } from '../viewings/question.ts'
import { htmlPage, textReply, withoutBody, type Reply } from '../model/reply.ts'
import { sourcesMessage } from './sourcesMessage.ts'

export const missing: Link = {
  name: 'missing',
  whyPassed: () => message('viewer.step.last'),
  answer: async (question) => {
    const reply = question.unreadable.length > 0 ? cannotBeRead(question) : notInArchive(question)
    return question.method === 'HEAD' ? withoutBody(reply) : reply
  },
}

/** The page for a URL without captures, which names other sources that have some. The only reply that counts as
 *  missing. */
function notInArchive({ method, url, otherCaptures: { captures, notSearched }, shown }: Question): Reply {
  const view = shown ? selectionMessage(shown.view) : message('viewer.missing.anyView')
  const text: Message[] = [
    method === 'GET' || method === 'HEAD'
      ? message('viewer.missing.url', { view })
      : message('viewer.missing.method', { method, view }),
  ]
  if (captures.length > 0) text.push(message('viewer.missing.elsewhere', { sources: sourcesMessage(captures.map(({ job }) => job)) })) // prettier-ignore
  if (notSearched.length > 0) text.push(message('viewer.missing.notSearched', { sources: sourcesMessage(notSearched) }))
  const page = htmlPage({ title: message('viewer.missing.title'), text, url })
  const reply = textReply({ status: 404, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'not-in-archive']] })
  return { ...reply, missing: true }
}

/** The page for a URL whose captures cannot be read, with the first reason. */
function cannotBeRead({ url, unreadable }: Question): Reply {
  const text = unreadable.slice(0, 1).map(({ error }) => message('viewer.unreadable', { problem: error.userMessage }))
  const page = htmlPage({ title: message('viewer.unreadable.title'), text, url })
  return textReply({ status: 503, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'unreadable']] })
}
