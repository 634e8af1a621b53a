/** How the state of a plan is shown. */
import type { DeliveryPlanRow } from '../../../src-main/contract/services/deliveries.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import type { Translate } from '../../words/words.tsx'

/** Returns the badge of a plan. A problem is that of the last attempt: the plan is started again. */
export function planLook(
  t: Translate,
  { run, isOnce, problem }: Pick<DeliveryPlanRow, 'run' | 'isOnce' | 'problem'>,
): { tone: Tone; text: string; meaning: string } {
  if (problem !== null) return { tone: 'failed', text: t('plans.run.problem'), meaning: t(problem) }
  const key = run === 'running' && isOnce ? 'once' : run
  const tones = { running: 'running', once: 'running', waiting: 'waiting', stopped: 'idle' } as const
  return { tone: tones[key], text: t(`plans.run.${key}`), meaning: t(`plans.run.${key}.meaning`) }
}

/** Documents by what they mean for someone who looks at the plan as a whole. */
export function outcomesOf({ counts }: Pick<DeliveryPlanRow, 'counts'>): {
  delivered: number
  waiting: number
  failed: number
  dropped: number
} {
  const of = (...states: (keyof typeof counts)[]) => states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  return {
    delivered: of('INDEXED'),
    waiting: of('PROCESSING', 'BATCHED', 'INDEXING', 'ERROR', 'RESTART', 'FORCE', 'DIRTY'),
    failed: of('ERROR_DOC', 'DEAD'),
    dropped: of('DROPPED'),
  }
}
