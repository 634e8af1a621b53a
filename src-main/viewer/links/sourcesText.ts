/** Whose captures they are, in words: jobs by their numbers, and the files that belong to none. Pure. */
import type { Source } from '../../indexes/indexes.ts'

/** "job 3", "jobs 3, 4 and files without a job". Each is named once. */
export function sourcesText(sources: readonly Source[]): string {
  const jobs = [...new Set(sources)].filter((source) => source !== null)
  const ofJobs = jobs.length === 0 ? [] : [`${jobs.length === 1 ? 'job' : 'jobs'} ${jobs.join(', ')}`]
  return [...ofJobs, ...(sources.includes(null) ? ['files without a job'] : [])].join(' and ')
}
