/** Default content of an export that is started from the menu or by its key. */
import { useEffect } from 'react'
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { useSession } from '../../state/session.tsx'

/** Applies while the screen is shown. A job that has not ended cannot be exported. */
export function useExportAtHand(jobs: readonly Pick<JobSummary, 'job' | 'ended'>[]): void {
  const { dialogs } = useSession()
  const ended = jobs.filter((job) => job.ended !== null).map(({ job }) => job)
  const key = ended.join()
  useEffect(() => {
    const { setAtHand } = dialogs.getState()
    setAtHand(key === '' ? {} : { jobs: key.split(',').map(Number) })
    return () => setAtHand({})
  }, [dialogs, key])
}
