/** The paces of the current or last run of a job, while its page is open. */
import { useEffect, useMemo, useState } from 'react'
import type { JobSummary } from '../../src-main/contract/services/jobSummary.ts'
import { observing, pacesOf, pointOf, storedPoint, type Pace, type RunPoint } from './jobPaces.ts'
import { loadedFrom } from './loaded.ts'
import { useSession } from './session.tsx'

/** The engine keeps a sample of a run in this time at the earliest. */
const sampleSeconds = 20

export function useJobPaces(job: JobSummary): Pace[] {
  const { services } = useSession()
  const [stored, setStored] = useState<readonly RunPoint[]>([])
  const [observed, setObserved] = useState<readonly RunPoint[]>([])
  const { job: id, started, ended, seconds } = job
  useEffect(() => setObserved((before) => observing(before, pointOf(job))), [job])
  const sampled = Math.floor(seconds / sampleSeconds)
  useEffect(() => {
    let isWanted = true
    void loadedFrom(services.jobs.progress({ job: id })).then((answer) => {
      if (isWanted && answer.is === 'ready') setStored(answer.value.map(storedPoint))
    })
    return () => {
      isWanted = false
    }
  }, [services, id, started, ended, sampled])
  return useMemo(() => pacesOf(stored, observed), [stored, observed])
}
