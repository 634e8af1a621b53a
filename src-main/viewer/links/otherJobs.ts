/** Never answers: captures of other jobs are offered, not mixed in silently. */
import { isNavigation } from '../background.ts'
import type { ChainParts } from '../chainParts.ts'
import type { Link } from '../question.ts'

export const otherJobs = ({ elsewhere }: ChainParts): Link => ({
  name: 'otherJobs',
  passed: ({ elsewhere: { captures, jobsUnknown } }) => {
    const jobs = [...new Set(captures.map(({ job }) => job))]
    const found =
      jobs.length === 0
        ? 'No other job has captured it'
        : `Captured by job ${jobs.join(', ')}, which is not in the view`
    return jobsUnknown.length === 0
      ? `${found}.`
      : `${found}; not looked into yet: ${jobsUnknown.length === 1 ? 'job' : 'jobs'} ${jobsUnknown.join(', ')}.`
  },
  async answer(question) {
    // Each job is looked into: for whoever reads the answer, not for each part of a page that lacks something.
    if (!question.trace && !isNavigation(question.fields)) return undefined
    question.elsewhere = await elsewhere(question.url, question.shown?.view.jobs ?? [])
    return undefined
  },
})
