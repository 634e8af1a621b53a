/** Jobs and files that can be selected: finished jobs, deleted jobs with files, and whether there are any files. */
import { useCallback } from 'react'
import { useStore } from 'zustand'
import type { DeletedJob, JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import type { Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'

export interface Selectable {
  /** Newest first, as `deleted`. */
  ended: readonly JobSummary[]
  deleted: readonly DeletedJob[]
  hasFiles: boolean
  /** Whether there are jobs that have not ended. */
  isRunning: boolean
}

/** The second value loads again. */
export function useSelectable(): [Loaded<Selectable>, () => void] {
  const { services, jobs: store } = useSession()
  const { jobs, load } = useStore(store)
  const [archived, again] = useLoaded(
    useCallback(async () => {
      const [deleted, { total }] = await Promise.all([services.jobs.deleted({}), services.archive.files({ limit: 1 })])
      return { deleted, hasFiles: total > 0 }
    }, [services]),
  )
  const reload = useCallback(() => {
    void load()
    again()
  }, [load, again])
  if (jobs.is !== 'ready') return [jobs, reload]
  if (archived.is !== 'ready') return [archived, reload]
  const ended = jobs.value.filter((job) => job.ended !== null)
  const isRunning = jobs.value.length > ended.length
  return [{ is: 'ready', value: { ended, isRunning, ...archived.value } }, reload]
}

/** The default selection: the newest job, or everything when there is none. */
export function newestOf({ ended, deleted }: Pick<Selectable, 'ended' | 'deleted'>): { jobs: number[]; all: boolean } {
  const job = (ended[0] ?? deleted[0])?.job
  return job === undefined ? { jobs: [], all: true } : { jobs: [job], all: false }
}
