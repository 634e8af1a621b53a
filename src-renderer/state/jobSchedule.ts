/** The schedule of one job. Loaded again after each change of the job's state, which may be caused by a window. */
import { useCallback, useEffect, useState } from 'react'
import type { JobSummary } from '../../src-main/contract/services/jobSummary.ts'
import type { JobSchedule } from '../../src-main/contract/services/schedule.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'
import { useSession } from './session.tsx'

export function useJobSchedule({ job, state }: Pick<JobSummary, 'job' | 'state'>): {
  schedule: Loaded<JobSchedule>
  load: () => Promise<void>
} {
  const { services } = useSession()
  const [schedule, setSchedule] = useState<Loaded<JobSchedule>>(loading)
  const load = useCallback(async () => setSchedule(await loadedFrom(services.schedules.show({ job }))), [services, job])
  useEffect(() => {
    let isWanted = true
    void loadedFrom(services.schedules.show({ job })).then((answer) => isWanted && setSchedule(answer))
    return () => {
      isWanted = false
    }
  }, [services, job, state])
  return { schedule, load }
}
