/** Which ends of tasks are worth a notice. */
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'

/** The end of a shorter task is seen where it was started. */
const noticedMsMin = 5_000

type Ended = Pick<TaskSummary, 'ended' | 'startedBy' | 'runningMs' | 'state' | 'kind'>

/** Who stopped a task knows that it ended. An index is built whenever one is needed. */
export function isNoticed({ ended, startedBy, runningMs, state, kind }: Ended): boolean {
  return ended !== null && startedBy === 'user' && runningMs >= noticedMsMin && state !== 'STOPPED' && kind !== 'index'
}
