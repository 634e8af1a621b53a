/** The harvests that run, are paused, or will begin. Imports are tasks. */
import { useStore } from 'zustand'
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { isAtRest } from '../jobs/jobWords.ts'

export function useRunningJobs(): JobSummary[] {
  const { jobs } = useSession()
  const known = useStore(jobs).jobs
  return (valueOf(known) ?? []).filter((job) => job.kind === 'event' && !isAtRest(job))
}
