/** Never answers. Finds captures outside the view, so that the next link can offer them instead of mixing them into the view. */
import { isNavigation } from '../model/browserRequests.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Link } from '../viewings/question.ts'
import { sourcesText } from './sourcesText.ts'

export const otherJobs = ({ otherCaptures }: ChainParts): Link => ({
  name: 'otherJobs',
  whyPassed: ({ otherCaptures: { captures, notSearched } }) => {
    const found =
      captures.length === 0
        ? 'The rest of the archive has no capture of this URL'
        : `Captured outside the view in ${sourcesText(captures.map(({ job }) => job))}`
    return notSearched.length === 0 ? `${found}.` : `${found}; not searched yet: ${sourcesText(notSearched)}.`
  },
  async answer(question) {
    // Searching all jobs is worth it for pages and explanations, not for each missing resource.
    if (!question.trace && !isNavigation(question.fields)) return undefined
    question.otherCaptures = await otherCaptures(question.url, question.shown?.view ?? {})
    return undefined
  },
})
