/** The store of one job: its details, its log and the actions on it. Its URLs are loaded in pages (`pages.ts`), because a job may have
 *  millions. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { JobSummary } from '../../src-main/contract/services/jobSummary.ts'
import type { LogLine } from '../../src-main/contract/services/jobs.ts'
import type { JobWhole } from '../../src-main/contract/services/jobDetails.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { throttled } from './throttled.ts'

/** Counting by status, media type and host reads all URLs, so it is requested at most this often. */
const wholeIntervalMs = 2_000
/** Lines of the log kept in the page; the whole log is in the job's folder. */
const logLinesMax = 2_000
const logLinesAtOnce = 1_000

export type JobAction =
  | 'start'
  | 'startMinimal'
  | 'restart'
  | 'restartMinimal'
  | 'pause'
  | 'resume'
  | 'abort'
  | 'delete'

/** Actions with a button of their own that are the same call with an option. */
const minimalOf = { startMinimal: 'start', restartMinimal: 'restart' } as const

export interface JobState {
  whole: Loaded<JobWhole>
  log: LogLine[]
  /** Actions with a request in progress. */
  asked: JobAction | null
  refusal: Fault | null
  /** Incremented whenever the counts may have changed, for lists that are loaded in pages. */
  revision: number
  load(): Promise<void>
  /** Whether the engine accepted the action. */
  act(action: JobAction): Promise<boolean>
}

export type JobServices = {
  jobs: Pick<Loupe['jobs'], 'show' | 'log' | 'changed' | Exclude<JobAction, keyof typeof minimalOf>>
}
/** `open` loads and follows the job; `close` ends that. It can be opened again. */
export type JobStore = StoreApi<JobState> & { open(): void; close(): void }

export function makeJob({ jobs }: JobServices, job: number): JobStore {
  const store = createStore<JobState>()((set, get) => ({
    whole: loading,
    log: [],
    asked: null,
    refusal: null,
    revision: 0,
    load: async () => {
      const whole = await loadedFrom(jobs.show({ job }))
      set({ whole, revision: get().revision + 1 })
      if (whole.is === 'ready') await readLog()
    },
    act: async (action) => {
      set({ asked: action, refusal: null })
      try {
        await (isMinimal(action) ? jobs[minimalOf[action]]({ job, minimal: true }) : jobs[action]({ job }))
        await get().load()
        return true
      } catch (error) {
        set({ refusal: faultFrom(error) })
        return false
      } finally {
        set({ asked: null })
      }
    },
  }))

  let reading: Promise<void> | undefined
  function readLog(): Promise<void> {
    reading ??= readNewLines().finally(() => (reading = undefined))
    return reading
  }

  async function readNewLines(): Promise<void> {
    for (;;) {
      const { log } = store.getState()
      const lines = await loadedFrom(jobs.log({ job, after: log.at(-1)?.id ?? 0, limit: logLinesAtOnce }))
      if (lines.is !== 'ready') return
      if (lines.value.length > 0) store.setState({ log: [...log, ...lines.value].slice(-logLinesMax) })
      if (lines.value.length < logLinesAtOnce) return
    }
  }

  const reload = throttled(() => void store.getState().load(), wholeIntervalMs)
  let unfollow: (() => void) | undefined
  return Object.assign(store, {
    open: () => {
      unfollow ??= jobs.changed((changed) => {
        if (changed.job !== job) return
        const { whole } = store.getState()
        const moved = whole.is === 'ready' && whole.value.state !== changed.state
        store.setState({ whole: merged(whole, changed) })
        // Users wait for changes of state; numbers may come a little later.
        if (moved) void store.getState().load()
        else reload()
      })
      void store.getState().load()
    },
    close: () => {
      unfollow?.()
      unfollow = undefined
      reload.cancel()
    },
  })
}

function isMinimal(action: JobAction): action is keyof typeof minimalOf {
  return Object.hasOwn(minimalOf, action)
}

/** Applies the counts of the event at once. Everything else follows with the next load. */
function merged(whole: Loaded<JobWhole>, changed: JobSummary): Loaded<JobWhole> {
  return whole.is === 'ready' ? { is: 'ready', value: { ...whole.value, ...changed } } : whole
}
