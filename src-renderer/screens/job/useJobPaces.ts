/** The paces of the current or last run of a job, while its page is open. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { observing, pacesOf, pointOf, storedPoint, type Pace, type RunPoint } from '../../state/jobPaces.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'

/** The engine keeps a sample of a run in this time at the earliest. */
const sampleSeconds = 20

export function useJobPaces(job: JobSummary): Pace[] {
  const { services } = useSession()
  const { job: id, started, ended, seconds } = job
  const [observed, setObserved] = useState<readonly RunPoint[]>([])
  useEffect(() => setObserved((before) => observing(before, pointOf(job))), [job])
  const sampled = `${started} ${ended} ${Math.floor(seconds / sampleSeconds)}`
  const [samples] = useLoaded(
    useCallback(() => services.jobs.progress({ job: id }), [services, id]),
    sampled,
  )
  return useMemo(() => pacesOf((valueOf(samples) ?? []).map(storedPoint), observed), [samples, observed])
}
