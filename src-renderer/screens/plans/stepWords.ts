/** Words for steps of plans. */
import type { DeliveryStepFacts } from '../../../src-main/contract/services/deliveries.ts'
import type { DeliveryRouter } from '../../../src-main/contract/services/deliveryPlan.ts'
import type { Translate } from '../../words/words.tsx'
import type { PlanNumbers } from './planNumbers.ts'

/** Returns the side effect of a step: what a repetition means, and whether documents change. */
export function effectWords(
  t: Translate,
  { effect, isMutating }: Pick<DeliveryStepFacts, 'effect' | 'isMutating'>,
): { effect: string; changes: string } {
  return { effect: t(`plan.effect.${effect}`), changes: t(isMutating ? 'plan.mutating' : 'plan.preserving') }
}

/** Returns what a step did in the run, or what it has now; figures that are 0 are left out after the first. */
export function stepFigures(t: Translate, { name, role }: DeliveryStepFacts, numbers: PlanNumbers): string[] {
  const step = numbers.step(name)
  if (step) {
    return [
      t(`plan.step.${role}`, { count: step.done }),
      ...(['dropped', 'failed'] as const).flatMap((each) =>
        step[each] > 0 ? [t(`plan.step.${each}`, { count: step[each] })] : [],
      ),
    ]
  }
  const now = numbers.now(name)
  return now ? [t('plan.step.now', { count: now.INDEXED ?? 0 })] : []
}

export function routerMeaning(t: Translate, router: DeliveryRouter | null): string {
  if (router === null) return ''
  const field = 'field' in router ? router.field : ''
  return t(`plan.router.${router.kind}.meaning`, { field })
}

/** Cuts a text at its end. */
export function shortened(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`
}
