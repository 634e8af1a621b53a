/** Names the sources of captures: jobs by number, and files without a job. Pure. */
import type { Source } from '../../indexes/indexes.ts'

/** Such as "job 3" or "jobs 3, 4 and files without a job". Each source is named once. */
export function sourcesText(sources: readonly Source[]): string {
  const jobs = [...new Set(sources)].filter((source) => source !== null)
  const ofJobs = jobs.length === 0 ? [] : [`${jobs.length === 1 ? 'job' : 'jobs'} ${jobs.join(', ')}`]
  return [...ofJobs, ...(sources.includes(null) ? ['files without a job'] : [])].join(' and ')
}
