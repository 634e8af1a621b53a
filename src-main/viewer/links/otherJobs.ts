/** Never answers. Finds captures outside the view, so that the next link can offer them instead of mixing them into the view. */
import { message } from '../../contract/words/message.ts'
import { isNavigation } from '../model/browserRequests.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Link } from '../viewings/question.ts'
import { shownSelection } from '../viewings/views.ts'
import { sourcesMessage } from './sourcesMessage.ts'

export const otherJobs = ({ otherCaptures }: ChainParts): Link => ({
  name: 'otherJobs',
  whyPassed: ({ otherCaptures: { captures, notSearched } }) => {
    const sources = sourcesMessage(captures.map(({ job }) => job))
    if (notSearched.length === 0)
      return captures.length === 0
        ? message('viewer.step.others.none')
        : message('viewer.step.others.found', { sources })
    const waiting = sourcesMessage(notSearched)
    return captures.length === 0
      ? message('viewer.step.others.noneYet', { sources: waiting })
      : message('viewer.step.others.foundYet', { sources, notSearched: waiting })
  },
  async answer(question) {
    // Searching all jobs is worth it for pages and explanations, not for each missing resource.
    if (!question.trace && !isNavigation(question.fields)) return undefined
    const viewed = question.shown ? shownSelection(question.shown.view) : {}
    const found = await otherCaptures(question.url, viewed)
    question.otherCaptures = { ...found, captures: found.captures.filter(question.sight.capture) }
    return undefined
  },
})
