/** Meaning of the states of a check for its end. This is the only place that decides it. */
import type { CheckState } from './states.ts'

/** States of a check that examined every chosen file, whatever it found. */
export const wholeCheckStates: readonly CheckState[] = ['DONE', 'DONE_WITH_FINDINGS']

export function isWholeCheck({ state }: { state: CheckState }): boolean {
  return wholeCheckStates.includes(state)
}
