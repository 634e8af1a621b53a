/** The live list of jobs. One job's whole is in `job.ts`. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { JobSummary, Loupe } from '../../src-main/contract/contract.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'

export interface JobsState {
  /** Newest first. */
  jobs: Loaded<JobSummary[]>
  load(): Promise<void>
}

export type JobsServices = { jobs: Pick<Loupe['jobs'], 'list' | 'changed'> }

export function makeJobs({ jobs }: JobsServices): StoreApi<JobsState> {
  const store = createStore<JobsState>()((set) => ({
    jobs: loading,
    load: async () => {
      const listed = await loadedFrom(jobs.list({}))
      set({ jobs: listed.is === 'ready' ? { is: 'ready', value: listed.value.toSorted(newestFirst) } : listed })
    },
  }))
  jobs.changed((job) =>
    store.setState(({ jobs: known }) => ({
      jobs: known.is === 'ready' ? { is: 'ready', value: withJob(known.value, job) } : known,
    })),
  )
  return store
}

/** The list with this job's newest numbers; a job not seen before is added. */
function withJob(jobs: readonly JobSummary[], changed: JobSummary): JobSummary[] {
  const rest = jobs.filter(({ job }) => job !== changed.job)
  return [...rest, changed].toSorted(newestFirst)
}

function newestFirst(one: JobSummary, other: JobSummary): number {
  return other.job - one.job
}
