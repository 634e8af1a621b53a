/** The store of all jobs with their schedules, updated while its screen is open. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { JobSchedule, Schedule } from '../../src-main/contract/services/schedule.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'
import { throttled } from './throttled.ts'

/** The engine computes the next runs of every job for each answer, so they are requested at most this often while jobs run. */
const reloadMs = 2_000
/** Windows begin and end on whole minutes, without an event when no job changes its state. */
const tickMs = 20_000

export interface SchedulesState {
  /** Newest first. */
  jobs: Loaded<JobSchedule[]>
  load(): Promise<void>
  /** Throws the engine's `Fault`. */
  set(job: number, schedule: Schedule | null): Promise<void>
}

type SchedulesServices = Pick<Loupe, 'schedules'> & { jobs: Pick<Loupe['jobs'], 'changed'> }
export type SchedulesStore = StoreApi<SchedulesState> & { open(): void; close(): void }

export function makeSchedules({ schedules, jobs }: SchedulesServices): SchedulesStore {
  const store = createStore<SchedulesState>()((set, get) => ({
    jobs: loading,
    load: async () => set({ jobs: await loadedFrom(schedules.list({})) }),
    set: async (job, schedule) => {
      await schedules.set({ job, schedule })
      await get().load()
    },
  }))
  const reload = throttled(() => void store.getState().load(), reloadMs)
  let unfollow: (() => void) | undefined
  let ticking: ReturnType<typeof setInterval> | undefined
  return Object.assign(store, {
    open: () => {
      unfollow ??= jobs.changed(reload)
      ticking ??= setInterval(reload, tickMs)
      void store.getState().load()
    },
    close: () => {
      unfollow?.()
      clearInterval(ticking)
      unfollow = ticking = undefined
      reload.cancel()
    },
  })
}
