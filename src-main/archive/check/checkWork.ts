/** A check as the work of a task: writes the list of its items unless an earlier run did, checks the copies, and says how it ended. */
import { joined } from '../../contract/words/joined.ts'
import type { Message } from '../../contract/words/message.ts'
import type { CheckSummary } from '../../contract/services/checks.ts'
import type { Store } from '../../storage/storage.ts'
import type { Ending, Task } from '../../tasks/task.ts'
import type { Clock } from '../../world/world.ts'
import type { CheckActions } from './checkActions.ts'
import type { CheckLists } from './checkList.ts'
import type { PreservationStatements } from './preservation.sql.ts'
import { RunningCheck } from './runningCheck.ts'

export interface CheckWorkParts {
  store: Store
  clock: Pick<Clock, 'now'>
  statements: Pick<PreservationStatements, 'check' | 'noteListed'>
  actions: Pick<CheckActions, 'begun'>
  lists: Pick<CheckLists, 'write'>
  /** The check of a task as it is now. */
  summary: (check: number) => CheckSummary
  /** Checks the copies and returns the reasons why replicas could not be checked. */
  checkCopies: (check: RunningCheck) => Promise<Message[]>
}

/** Creates the work of checks. `onListed` is called when the list is complete. */
export function checkWork(parts: CheckWorkParts): (task: Task, onListed?: () => void) => Promise<Ending> {
  const { store, clock, statements, actions, lists, summary, checkCopies } = parts

  /** Writes the list, again where a kill left it incomplete; in that case nothing on it has been checked. The check counts as begun
   *  when its list is complete. */
  async function writeList(check: RunningCheck): Promise<void> {
    if (statements.check.get({ id: check.id })?.list !== 'growing') return
    await lists.write(check)
    check.signal.throwIfAborted()
    store.transaction(() => {
      statements.noteListed.run({ check: check.id })
      actions.begun(summary(check.id), clock.now())
    })
    check.listed()
  }

  return async (task, onListed) => {
    const check = new RunningCheck(store, task, summary(task.id))
    await writeList(check)
    onListed?.()
    const problems = await checkCopies(check)
    check.signal.throwIfAborted()
    if (problems.length > 0) return { event: 'failed', code: 'unreachable', problem: joined(problems) }
    return { event: check.findings === 0 ? 'finished' : 'finishedWithFindings' }
  }
}
