/** Never answers: captures outside of the view are offered, not mixed in silently. */
import { isNavigation } from '../model/browserRequests.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Link } from '../viewings/question.ts'
import { sourcesText } from './sourcesText.ts'

export const otherJobs = ({ otherCaptures }: ChainParts): Link => ({
  name: 'otherJobs',
  whyPassed: ({ otherCaptures: { captures, notSearched } }) => {
    const found =
      captures.length === 0
        ? 'Nothing else in the archive has captured it'
        : `Outside of the view it is in ${sourcesText(captures.map(({ job }) => job))}`
    return notSearched.length === 0 ? `${found}.` : `${found}; not looked into yet: ${sourcesText(notSearched)}.`
  },
  async answer(question) {
    // Each job is looked into: for whoever reads the answer, not for each part of a page that lacks something.
    if (!question.trace && !isNavigation(question.fields)) return undefined
    question.otherCaptures = await otherCaptures(question.url, question.shown?.view ?? {})
    return undefined
  },
})
