/** Derived facts about checks. */
import type { CheckSummary } from '../../src-main/contract/services/checks.ts'
import { accepts } from '../../src-main/contract/states/stateTable.ts'
import { isActiveTask, taskStates } from '../../src-main/contract/states/taskStates.ts'

export function isRunning({ state }: Pick<CheckSummary, 'state'>): boolean {
  return isActiveTask(state)
}

export function canGoOn({ state }: Pick<CheckSummary, 'state'>): boolean {
  return accepts(taskStates, state, 'resume')
}

/** A search for missing files reads no bytes, so its work is counted in copies. */
export function workDone(check: CheckSummary): { unit: 'copies' | 'bytes'; done: number; total: number } {
  return check.kind === 'missing'
    ? { unit: 'copies', done: check.filesDone, total: check.filesTotal }
    : { unit: 'bytes', done: check.bytesDone, total: check.bytesTotal }
}

/** Whether an event about a check says more than its progress: the check is new here, is no longer running, or has a finding. Only
 *  then is the status of the archive loaded again. */
export function newsOfChecks(): (check: Pick<CheckSummary, 'task' | 'state' | 'findings'>) => boolean {
  const findingsKnown = new Map<number, number>()
  return (check) => {
    const isNews = !isRunning(check) || findingsKnown.get(check.task) !== check.findings
    findingsKnown.set(check.task, check.findings)
    return isNews
  }
}
