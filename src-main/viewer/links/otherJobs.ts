/** Never answers: captures of other jobs are offered, not mixed in silently. */
import type { ChainParts } from '../chainParts.ts'
import type { Link } from '../question.ts'

export const otherJobs = ({ elsewhere }: ChainParts): Link => ({
  name: 'otherJobs',
  passed: ({ elsewhere }) =>
    elsewhere.length === 0
      ? 'No other job has captured it.'
      : `Captured by job ${[...new Set(elsewhere.map(({ job }) => job))].join(', ')}, which is not in the view.`,
  async answer(question) {
    question.elsewhere = elsewhere(question.url, question.shown?.view.jobs ?? [])
    return undefined
  },
})
