/** What one step of a plan does, and its numbers. */
import { Text } from '@mantine/core'
import type { DeliveryStepFacts } from '../../../src-main/contract/services/deliveries.ts'
import { deliveryStates, type DeliveryState } from '../../../src-main/contract/states/deliveryStates.ts'
import { Facts } from '../../parts/Facts.tsx'
import { useFormats } from '../../parts/formats.ts'
import { StateBadge } from '../../parts/tone.tsx'
import { statesIn } from '../../state/planStatuses.ts'
import { useWords } from '../../words/words.tsx'
import type { PlanNumbers } from './planNumbers.ts'
import { routerMeaning, stepFigures } from './stepWords.ts'
import styles from './plans.module.css'

/** `step`: undefined where none is chosen. */
export function StepPanel({ step, numbers }: { step: DeliveryStepFacts | undefined; numbers: PlanNumbers }) {
  const t = useWords()
  if (!step) return <Text c="dimmed">{t('plan.step.choose')}</Text>
  const { name, kind, role, effect, isMutating, after, router, guarantee } = step
  const now = numbers.now(name) ?? {}
  const figures = stepFigures(t, step, numbers)
  const facts = [
    { name: t('plan.role'), value: t(`plan.role.${role}`) },
    { name: t('plan.kind'), value: kind },
    {
      name: t('plan.effect'),
      value: (
        <>
          {t(`plan.effect.${effect}.meaning`)}
          <br />
          {t(isMutating ? 'plan.mutating.meaning' : 'plan.preserving.meaning')}
        </>
      ),
    },
    ...(guarantee ? [{ name: t('plan.guarantee'), value: t(`plan.guarantee.${guarantee}`) }] : []),
    ...(after.length > 0 ? [{ name: t('plan.after'), value: after.join(', ') }] : []),
    ...(router ? [{ name: t('plan.router'), value: routerMeaning(t, router) }] : []),
    ...(numbers.step(name) ? [{ name: t('plan.run'), value: figures.join(', ') }] : []),
    ...(statesIn(now).length > 0
      ? [
          {
            name: t('plan.step.statuses'),
            value: statesIn(now).map((state) => <Status key={state} state={state} count={now[state] ?? 0} />),
          },
        ]
      : []),
  ]
  return (
    <section className={`card facts-stacked ${styles.panel}`} aria-label={t('plan.step.chosen', { name })}>
      <h3>{name}</h3>
      <Facts facts={facts} />
    </section>
  )
}

function Status({ state, count }: { state: DeliveryState; count: number }) {
  const formats = useFormats()
  return (
    <div className="tabular">
      {formats.count(count)} <StateBadge table={deliveryStates} state={state} />
    </div>
  )
}
