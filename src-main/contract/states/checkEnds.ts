/** How a check ended: asked here, nowhere else. */
import type { CheckState } from './states.ts'

/** A check in one of these states looked at every chosen file, whatever it found. */
export const wholeCheckStates: readonly CheckState[] = ['DONE', 'DONE_WITH_FINDINGS']

export function isWholeCheck({ state }: { state: CheckState }): boolean {
  return wholeCheckStates.includes(state)
}
