/** Never answers: captures of other jobs are offered, not mixed in silently. */
import { isNavigation } from '../background.ts'
import type { ChainParts } from '../chainParts.ts'
import type { Link } from '../question.ts'

export const otherJobs = ({ elsewhere }: ChainParts): Link => ({
  name: 'otherJobs',
  passed: ({ elsewhere }) =>
    elsewhere.length === 0
      ? 'No other job has captured it.'
      : `Captured by job ${[...new Set(elsewhere.map(({ job }) => job))].join(', ')}, which is not in the view.`,
  async answer(question) {
    // Each job is looked into: for whoever reads the answer, not for each part of a page that lacks something.
    if (!question.trace && !isNavigation(question.fields)) return undefined
    question.elsewhere = elsewhere(question.url, question.shown?.view.jobs ?? [])
    return undefined
  },
})
