/** How a check ended: asked here, nowhere else. */
import type { checkStates } from './states.ts'

type CheckState = (typeof checkStates.states)[number]

/** A check in one of these states looked at every chosen file, whatever it found. */
export const wholeCheckStates: readonly string[] = ['DONE', 'DONE_WITH_FINDINGS'] satisfies CheckState[]

export function isWholeCheck({ state }: { state: string }): boolean {
  return wholeCheckStates.includes(state)
}
