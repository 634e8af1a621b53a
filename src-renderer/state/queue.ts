/** The store of a job's queue, updated while it is open, because it changes with every URL. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { QueueWhole } from '../../src-main/contract/services/live.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'
import { throttled } from './throttled.ts'

/** Counting a queue of millions takes a second, so it is requested at most this often. */
const reloadMs = 3_000
/** Delays of hosts end without an event. */
const tickMs = 5_000

interface QueueState {
  queue: Loaded<QueueWhole>
  /** Why the last refresh failed; null if it did not. The queue before it is still shown, with the dialogs that are open over it. */
  refreshFault: Fault | null
  load(): Promise<void>
}

type QueueServices = { queue: Pick<Loupe['queue'], 'show'>; jobs: Pick<Loupe['jobs'], 'changed'> }
export type QueueStore = StoreApi<QueueState> & { open(): void; close(): void }

export function makeQueue({ queue, jobs }: QueueServices, job: number): QueueStore {
  const store = createStore<QueueState>()((set, get) => ({
    queue: loading,
    refreshFault: null,
    async load() {
      const loaded = await loadedFrom(queue.show({ job }))
      if (loaded.is === 'refused' && get().queue.is === 'ready') set({ refreshFault: loaded.fault })
      else set({ queue: loaded, refreshFault: null })
    },
  }))
  const reload = throttled(() => void store.getState().load(), reloadMs)
  let unfollow: (() => void) | undefined
  let ticking: ReturnType<typeof setInterval> | undefined
  return Object.assign(store, {
    open: () => {
      unfollow ??= jobs.changed((changed) => {
        if (changed.job === job) reload()
      })
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
