/** The steps of a plan with what their kinds declare, as a drawing shows them. Pure. */
import type { DeliveryStepFacts } from '../../contract/services/deliveries.ts'
import type { DeliveryPlan } from '../../contract/services/deliveryPlan.ts'
import type { StepKinds } from '../model/steps.ts'

/** Returns the facts of all steps, in the order of the plan, which has been checked. */
export function stepFactsOf({ steps }: Pick<DeliveryPlan, 'steps'>, kinds: StepKinds): DeliveryStepFacts[] {
  const nextOf = (name: string) => steps.filter(({ after }) => after.includes(name))
  return steps.map(({ name, kind: kindName, after, router, guarantee }) => {
    const kind = kinds[kindName]
    if (!kind) throw new Error(`there is no kind of step named ${kindName}`)
    const { role, effect, isMutating } = kind
    return {
      ...{ name, kind: kindName, role, effect, isMutating, after },
      // Where a single step follows, every document goes to it.
      router: nextOf(name).length > 1 ? (router ?? null) : null,
      guarantee: kind.role === 'destination' ? (guarantee ?? kind.guarantee) : null,
    }
  })
}
