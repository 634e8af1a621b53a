/** The numbers of a plan: what passed each line and what each step did since the run began, and what destinations have now. Pure. */
import type {
  DeliveryDestination,
  DeliveryProgress,
  DeliveryStepFacts,
} from '../../../src-main/contract/services/deliveries.ts'
import { summed, type StatusCounts } from '../../state/planStatuses.ts'

export type StepCounts = Omit<DeliveryProgress['steps'][number], 'step'>

export interface PlanNumbers {
  /** Documents that went from one step to the next; undefined: there was no run. */
  passed(from: string, to: string): number | undefined
  /** Documents of a step in the run; undefined: there was none. */
  step(name: string): StepCounts | undefined
  /** Documents of a destination by their current status; undefined: the step is none. */
  now(name: string): StatusCounts | undefined
}

const none: StepCounts = { done: 0, dropped: 0, failed: 0 }

export function planNumbers(
  progress: DeliveryProgress | null,
  destinations: readonly DeliveryDestination[],
): PlanNumbers {
  return {
    // A run that has just begun has not reported yet: nothing has passed.
    passed: (from, to) =>
      progress ? (progress.edges.find((edge) => edge.from === from && edge.to === to)?.documents ?? 0) : undefined,
    step: (name) => (progress ? (progress.steps.find(({ step }) => step === name) ?? none) : undefined),
    now(name) {
      const own = destinations.filter(({ step }) => step === name)
      return own.length === 0 ? undefined : summed(own.map(({ counts }) => counts))
    },
  }
}

/** A plan that is being written: it has no numbers. */
export const noNumbers: PlanNumbers = { passed: () => undefined, step: () => undefined, now: () => undefined }

/** Returns the values with which a router sends documents on a line; null: it depends on none. `otherwise`: all other values, too. */
export function conditionOf(
  { router }: DeliveryStepFacts,
  to: string,
): { values: string[]; isOtherwise: boolean } | null {
  if (router?.kind !== 'field' && router?.kind !== 'stepName') return null
  const values = Object.entries(router.values).flatMap(([value, name]) => (name === to ? [value] : []))
  // A router by name knows the names themselves, too.
  if (router.kind === 'stepName') return { values: [to, ...values], isOtherwise: false }
  return { values, isOtherwise: router.otherwise === to }
}
