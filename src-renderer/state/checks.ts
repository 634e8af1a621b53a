/** What follows from how a check stands. */
import type { CheckSummary } from '../../src-main/contract/contract.ts'
import { checkStates } from '../../src-main/contract/states.ts'

export function isRunning({ state }: Pick<CheckSummary, 'state'>): boolean {
  return eventsIn(state).includes('stop')
}

export function canGoOn({ state }: Pick<CheckSummary, 'state'>): boolean {
  return eventsIn(state).includes('resume')
}

/** A search for missing files reads no bytes, so its work is counted in copies. */
export function workDone(check: CheckSummary): { unit: 'copies' | 'bytes'; done: number; total: number } {
  return check.kind === 'missing'
    ? { unit: 'copies', done: check.filesDone, total: check.filesTotal }
    : { unit: 'bytes', done: check.bytesDone, total: check.bytesTotal }
}

function eventsIn(state: string): string[] {
  return checkStates.moves.filter(({ from }) => from === state).map(({ event }) => event)
}
