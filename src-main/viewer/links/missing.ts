/** The last link, which always answers: the URL was not captured, or none of its captures can be read. The latter is not
 *  missing from the harvest. */
import { message, type Message } from '../../contract/words/message.ts'
import { selectionMessage } from '../../contract/shapes/selection.ts'
import { commandUrl } from '../model/commandHost.ts'
import type { Link, OtherCaptures, Question } from '../viewings/question.ts'
import type { ViewedSelection } from '../viewings/views.ts'
import { htmlPage, textReply, withoutBody, type PageLink, type Reply } from '../model/reply.ts'
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
  const links = method === 'GET' && shown ? linksFor(url, shown.view, captures) : []
  const page = htmlPage({ title: message('viewer.missing.title'), text, url, links })
  const reply = textReply({ status: 404, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'not-in-archive']] })
  return { ...reply, missing: true }
}

/** Jobs that are offered; users would not read more. */
const offeredMax = 3

/** Links to what can be done. They lead to commands that change something, which ask for proof: an archived page may lead there, too. */
function linksFor(url: string, view: ViewedSelection, captures: OtherCaptures['captures']): PageLink[] {
  const jobs = [...new Set(captures.flatMap(({ job }) => job ?? []))].slice(0, offeredMax)
  const offers = jobs.flatMap((job) => [
    { text: message('viewer.missing.open', { job }), href: viewing([job], url) },
    { text: message('viewer.missing.addJob', { job }), href: viewing([...view.jobs, job], url) },
  ])
  if (view.jobs.length === 0) return offers
  return [
    ...offers,
    { text: message('viewer.missing.add'), href: commandUrl('addMissing', [['url', url]]) },
    { text: message('viewer.missing.harvest'), href: commandUrl('harvestNow', [['url', url]]) },
  ]
}

function viewing(jobs: readonly number[], url: string): string {
  const ids = jobs.map((job) => ['jobID', String(job)] as const)
  return commandUrl('changeIndex', [...ids, ['label', `jobs ${jobs.join(', ')}`], ['returnURL', url]])
}

/** The page for a URL whose captures cannot be read, with the first reason. */
function cannotBeRead({ url, unreadable }: Question): Reply {
  const text = unreadable.slice(0, 1).map(({ error }) => message('viewer.unreadable', { problem: error.userMessage }))
  const page = htmlPage({ title: message('viewer.unreadable.title'), text, url })
  return textReply({ status: 503, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'unreadable']] })
}
