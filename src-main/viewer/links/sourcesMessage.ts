/** Names the sources of captures: jobs by number, and files without a job. Pure. */
import { message, type Message } from '../../contract/words/message.ts'
import type { Source } from '../../indexes/indexes.ts'

/** Such as "job 3" or "jobs 3, 4 and files without a job". Each source is named once. */
export function sourcesMessage(sources: readonly Source[]): Message {
  const jobs = [...new Set(sources)].filter((source) => source !== null)
  if (jobs.length === 0) return message('viewer.sources.noJob')
  const ofJobs = message('list.jobs', { count: jobs.length, jobs: jobs.join(', ') })
  return sources.includes(null) ? message('viewer.sources.both', { jobs: ofJobs }) : ofJobs
}
