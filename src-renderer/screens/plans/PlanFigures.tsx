/** The figures of a plan: its run, its speed, and what destinations have now. */
import { useReducer } from 'react'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { useTicking } from '../../parts/useTicking.ts'
import { rateNow, type PlanState, type PlanView } from '../../state/plan.ts'
import { useWords } from '../../words/words.tsx'
import { outcomesOf } from './planLook.ts'

const everyMs = 1_000

export function PlanFigures({ view, samples }: { view: PlanView; samples: PlanState['samples'] }) {
  const t = useWords()
  const { count, perSecond } = useFormats()
  // The rate falls while nothing is reported.
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0)
  useTicking(everyMs, tick)
  const { details, progress } = view
  const isRunning = progress?.ended === null
  const rateText = (each: PlanState['samples']['found']) => {
    const rate = isRunning ? rateNow(each, performance.now()) : undefined
    return rate === undefined ? '–' : perSecond(rate)
  }
  const outcomes = outcomesOf(details)
  const run = !progress
    ? t('plan.run.none')
    : progress.ended === null
      ? t('plan.run.since', { time: timeUtc(progress.started) })
      : t('plan.run.ended', { from: timeUtc(progress.started), to: timeUtc(progress.ended) })
  return (
    <Facts
      facts={[
        { name: t(isRunning ? 'plan.run' : 'plan.lastRun'), value: run },
        { name: t('plan.rate.found'), value: rateText(samples.found) },
        { name: t('plan.rate'), value: rateText(samples.delivered) },
        ...(['delivered', 'waiting', 'failed', 'dropped'] as const).map((each) => ({
          name: t('plan.outcome.now', { outcome: t(`plans.${each}`) }),
          value: count(outcomes[each]),
        })),
      ]}
    />
  )
}
