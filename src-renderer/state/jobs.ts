/** The live list of jobs. The details of one job are in `job.ts`. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { JobSummary } from '../../src-main/contract/services/jobSummary.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { liveRows } from './liveRows.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'

export interface JobsState {
  /** Newest first. */
  jobs: Loaded<JobSummary[]>
  load(): Promise<void>
}

export type JobsServices = { jobs: Pick<Loupe['jobs'], 'list' | 'changed' | 'removed'> }

export function makeJobs({ jobs }: JobsServices): StoreApi<JobsState> {
  const rows = liveRows<JobSummary>(({ job }) => job)
  const store = createStore<JobsState>()((set) => ({
    jobs: loading,
    load: async () => {
      const answered = rows.ask()
      const known = answered(await loadedFrom(jobs.list({})))
      if (known) set({ jobs: known })
    },
  }))
  jobs.changed((job) => store.setState(({ jobs: known }) => ({ jobs: rows.update(known, job) })))
  // A list that is loaded again does not contain the deleted job.
  jobs.removed(() => void store.getState().load())
  return store
}
