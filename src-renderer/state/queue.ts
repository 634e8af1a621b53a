/** A job's queue as its page shows it, followed while it is open: it changes with every document. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { QueueWhole } from '../../src-main/contract/services/live.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'
import { throttled } from './throttled.ts'

/** Counting a queue of millions takes a second: not asked more often than this. */
const reloadMs = 3_000
/** Hosts rest and are due again although nothing is fetched meanwhile. */
const tickMs = 5_000

interface QueueState {
  queue: Loaded<QueueWhole>
  load(): Promise<void>
}

type QueueServices = { queue: Pick<Loupe['queue'], 'show'>; jobs: Pick<Loupe['jobs'], 'changed'> }
export type QueueStore = StoreApi<QueueState> & { open(): void; close(): void }

export function makeQueue({ queue, jobs }: QueueServices, job: number): QueueStore {
  const store = createStore<QueueState>()((set) => ({
    queue: loading,
    load: async () => set({ queue: await loadedFrom(queue.show({ job })) }),
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
