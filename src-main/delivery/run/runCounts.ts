/** Counts the documents of a run in memory: how many took each edge of the plan, and what each step made of them. A document that is
 *  processed again counts again. */
import type { DeliveryStep } from '../../contract/services/deliveryPlan.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { Clock } from '../../world/world.ts'
import type { Place } from '../plan/places.ts'

/** What a step made of documents. `done`: a scanner has found it, a processor has processed it, a destination has accepted it. */
export type StepOutcome = 'done' | 'dropped' | 'failed'

interface EdgeCount {
  from: string
  to: string
  documents: number
}

/** Documents of a run since it began. */
export interface RunProgress {
  edges: EdgeCount[]
  steps: ({ step: string } & Record<StepOutcome, number>)[]
}

/** Time between two reports: enough for a screen, and rare enough for the thread that takes them. */
const reportMs = 1_000

export type RunCounts = ReturnType<typeof runCounts>

/** Makes the counts for the steps of a plan. */
export function runCounts(steps: readonly DeliveryStep[]) {
  const edges = new Map<string, EdgeCount>(
    steps.flatMap(({ name: to, after }) => after.map((from) => [keyOf(from, to), { from, to, documents: 0 }])),
  )
  const outcomes = new Map(steps.map(({ name: step }) => [step, { step, done: 0, dropped: 0, failed: 0 }]))
  let isChanged = false

  /** Calls `onProgress` if a count has changed since it was called last. */
  function report(onProgress: (progress: RunProgress) => void): void {
    if (!isChanged) return
    isChanged = false
    onProgress({
      edges: [...edges.values()].map((edge) => ({ ...edge })),
      steps: [...outcomes.values()].map((counted) => ({ ...counted })),
    })
  }

  function settled(step: string, outcome: StepOutcome): void {
    const counted = outcomes.get(step)
    if (!counted) throw new Error(`the plan has no step ${step}`)
    counted[outcome] += 1
    isChanged = true
  }

  return {
    settled,
    /** Counts a document that goes on from a place. Without a branch, its router has dropped it. */
    wentOn({ step }: Pick<Place, 'step'>, branches: readonly { next: Pick<Place, 'step'> }[]): void {
      if (branches.length === 0) settled(step.name, 'dropped')
      for (const { next } of branches) {
        const edge = edges.get(keyOf(step.name, next.step.name))
        if (!edge) throw new Error(`the plan has no edge from ${step.name} to ${next.step.name}`)
        edge.documents += 1
        isChanged = true
      }
    },
    report,
    /** Reports changes until the signal is aborted. */
    async reportAgain(clock: Clock, onProgress: (progress: RunProgress) => void, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await sleepUnlessAborted(clock, reportMs, signal)
        report(onProgress)
      }
    },
  }
}

/** Names of steps have no spaces. */
function keyOf(from: string, to: string): string {
  return `${from} ${to}`
}
