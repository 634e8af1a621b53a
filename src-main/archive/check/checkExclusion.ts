/** Keeps checks from reading the same replica at the same time. A check by the user interrupts scheduled ones, which the schedule
 *  resumes later; it does not interrupt another one by the user. */
import { message } from '../../contract/words/message.ts'
import type { Resumer } from '../../tasks/task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { replicasOf } from './checkSummary.ts'
import type { ActiveCheckRow, PreservationStatements } from './preservation.sql.ts'

export interface CheckExclusion {
  /** Interrupts scheduled checks of these replicas before a check by the user, and resolves when they have ended. */
  makeWay(replicas: readonly string[], by: Resumer): Promise<void>
  /** Throws `ArchiveFault` refused when another check than `self` works on one of the replicas. */
  refuseBusy(replicas: readonly string[], self?: number): void
}

export function checkExclusion(
  tasks: Pick<Tasks, 'interrupt'>,
  { active }: Pick<PreservationStatements, 'active'>,
): CheckExclusion {
  const checksOf = (replicas: readonly string[]): ActiveCheckRow[] =>
    active.all({}).filter((row) => replicasOf(row).some((replica) => replicas.includes(replica)))

  return {
    async makeWay(replicas, by) {
      if (by === 'schedule') return
      for (const { id, startedBy } of checksOf(replicas)) if (startedBy === 'schedule') await tasks.interrupt(id)
    },
    refuseBusy(replicas, self) {
      const busy = checksOf(replicas).find(({ id }) => id !== self)
      if (busy) throw new ArchiveFault('refused', message('check.busy', { check: busy.id }))
    },
  }
}
