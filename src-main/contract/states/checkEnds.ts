/** Meaning of the states of a check for its end. This is the only place that decides it. */
import { checkStates, type CheckState } from './states.ts'

/** States of a check that examined every chosen file, whatever it found. */
export const wholeCheckStates: readonly CheckState[] = checkStates.moves
  .filter(({ event }) => event === 'finished' || event === 'finishedWithFindings')
  .map(({ to }) => to)

export function isWholeCheck({ state }: { state: CheckState }): boolean {
  return wholeCheckStates.includes(state)
}
