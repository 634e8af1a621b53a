/** The store of one delivery plan: a version of it with its counts, its present or last run, and how it is started. Its documents are in
 *  `planDocuments.ts`. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type {
  DeliveryDestination,
  DeliveryPlanDetails,
  DeliveryProgress,
  StepRole,
} from '../../src-main/contract/services/deliveries.ts'
import { faultFrom, loadedFrom, loading, valueOf, type Loaded } from './loaded.ts'
import { newestAnswer } from './newestAnswer.ts'
import { rateOf, seen, type ProgressSample } from './pace.ts'

export interface PlanView {
  details: DeliveryPlanDetails
  destinations: DeliveryDestination[]
  /** Present or last run of this version; null: there was none since the engine started. */
  progress: DeliveryProgress | null
}

export interface PlanState {
  view: Loaded<PlanView>
  /** Why the view could not be refreshed. */
  refreshFault: Fault | null
  /** Chosen version; null: the one that runs, otherwise the newest. */
  version: number | null
  /** Documents of the run that scanners have found, and that destinations have accepted, over time. */
  samples: Record<'found' | 'delivered', ProgressSample[]>
  /** Whether a request to run it is in progress. */
  isStarting: boolean
  refusal: Fault | null
  load(): Promise<void>
  choose(version: number | null): Promise<void>
  /** Runs the chosen version, with `isOnce` until every document is settled. */
  run(isOnce: boolean): Promise<void>
}

export type PlanServices = {
  deliveries: Pick<Loupe['deliveries'], 'show' | 'counts' | 'progress' | 'run'>
}

/** `now`: milliseconds of a monotonic clock. */
export function makePlan(
  { deliveries }: PlanServices,
  name: string,
  now: () => number = () => performance.now(),
): StoreApi<PlanState> {
  const ask = newestAnswer()

  async function viewOf(version: number | null): Promise<PlanView> {
    const details = await deliveries.show({ name, ...(version !== null && { version }) })
    const shown = { name, version: details.version }
    const [destinations, progress] = await Promise.all([deliveries.counts(shown), deliveries.progress({ name })])
    return {
      details: withKnownSteps(details),
      ...{ destinations, progress: progress?.version === details.version ? progress : null },
    }
  }

  /** The steps of a version never change: the same ones are not laid out again. */
  function withKnownSteps(details: DeliveryPlanDetails): DeliveryPlanDetails {
    const known = valueOf(store.getState().view)?.details
    return known?.version === details.version ? { ...details, steps: known.steps } : details
  }

  const store = createStore<PlanState>()((set, get) => ({
    view: loading,
    refreshFault: null,
    version: null,
    samples: { found: [], delivered: [] },
    isStarting: false,
    refusal: null,
    load: async () => {
      const isNewest = ask()
      const { version } = get()
      const view = await loadedFrom(viewOf(version))
      if (!isNewest() || version !== get().version) return
      const isKept = view.is === 'refused' && view.fault.code !== 'notFound' && get().view.is === 'ready'
      if (isKept) set({ refreshFault: view.fault })
      else set({ view, refreshFault: null, samples: sampled(get().samples, valueOf(view), now()) })
    },
    choose: async (version) => {
      set({ version, samples: { found: [], delivered: [] } })
      await get().load()
    },
    run: async (isOnce) => {
      const { version } = get()
      set({ isStarting: true, refusal: null })
      try {
        await deliveries.run({ name, isOnce, ...(version !== null && { version }) })
      } catch (error) {
        set({ refusal: faultFrom(error) })
      } finally {
        set({ isStarting: false })
      }
      await get().load()
    },
  }))
  return store
}

function sampled(before: PlanState['samples'], view: PlanView | undefined, atMs: number): PlanState['samples'] {
  const found = doneBy('scanner', view)
  const delivered = doneBy('destination', view)
  if (found === undefined || delivered === undefined) return { found: [], delivered: [] }
  return {
    found: seen(before.found, { atMs, done: found }),
    delivered: seen(before.delivered, { atMs, done: delivered }),
  }
}

/** Returns the documents that the steps in a role are done with in the run that is on; undefined where none is. */
function doneBy(role: StepRole, view: PlanView | undefined): number | undefined {
  if (!view?.progress || view.progress.ended !== null) return undefined
  const names = new Set(view.details.steps.filter((step) => step.role === role).map((step) => step.name))
  return view.progress.steps.reduce((sum, { step, done }) => sum + (names.has(step) ? done : 0), 0)
}

/** Returns documents per second until now, also where nothing has changed for a while; undefined: not known yet. */
export function rateNow(samples: readonly ProgressSample[], atMs: number): number | undefined {
  const last = samples.at(-1)
  if (!last) return undefined
  const unchanged = { atMs, done: last.done }
  // After a long time without a report, the last one is the only other observation.
  return rateOf(seen(samples, unchanged)) ?? rateOf([last, unchanged])
}
