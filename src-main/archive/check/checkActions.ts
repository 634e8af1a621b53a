/** Writes a check's entries to the audit log: its start and end, new findings, and copies that are in order again. A copy whose
 *  state did not change gets no entry; the check itself records that it was read. */
import type { CheckSummary } from '../../contract/services/checks.ts'
import { isBadState } from '../../contract/states/copyStates.ts'
import type { PreservationState } from '../../contract/states/states.ts'
import type { TaskEvent } from '../../contract/states/taskStates.ts'
import type { AuditLog, AuditAction } from '../audit/audit.ts'
import type { Verdict } from '../copies/verdict.ts'
import type { NameFinding } from './preservation.sql.ts'
import type { RunningCheck } from './runningCheck.ts'

/** Change of the preservation state of one copy. */
export interface CopyMove {
  replica: string
  name: string
  was: PreservationState
  became: PreservationState
  problem: Verdict['problem']
}

type Finder = Pick<RunningCheck, 'id' | 'by'>

/** Creates the writer of a check's audit entries. Its functions append within the caller's transaction. */
export function checkActions(auditLog: AuditLog) {
  const subjectOf = (id: number) => `check ${id}`
  return {
    /** Records that a check started or resumed. */
    begun(check: CheckSummary, nowMs: number): void {
      const { kind, replicas, files, sample, filesTotal, filesDone, startedBy: who } = check
      const became = { kind, replicas, files, sample, filesTotal, filesDone }
      auditLog.append({ who, what: 'checkBegun', subject: subjectOf(check.task), became }, nowMs)
    },
    /** Records that a check ended or paused, by the event that moved it. */
    ended(check: CheckSummary, event: TaskEvent, nowMs: number): void {
      const { state, filesTotal, filesDone, findings, problem } = check
      const who = ended[event] ?? check.startedBy
      const became = { state, filesTotal, filesDone, findings, problem }
      auditLog.append({ who, what: 'checkEnded', subject: subjectOf(check.task), became }, nowMs)
    },
    /** Records a new finding, or that a bad copy is in order again. */
    moved({ id, by }: Finder, { replica, name, was, became, problem }: CopyMove, nowMs: number): void {
      if (!problem && !isBadState(was)) return
      const action: AuditAction = {
        who: by,
        what: problem ? 'finding' : 'inOrderAgain',
        subject: name,
        was: { replica, state: was },
        became: { replica, state: became, check: id, ...problem },
      }
      auditLog.append(action, nowMs)
    },
    found(
      { id, by }: Finder,
      { replica, name, finding }: { replica: string; name: string; finding: NameFinding },
      nowMs: number,
    ): void {
      const became = { replica, check: id, finding }
      auditLog.append({ who: by, what: 'finding', subject: name, became }, nowMs)
    },
  }
}

/** Who ended a check, where it was not the check itself. */
const ended: Partial<Record<TaskEvent, AuditAction['who']>> = {
  stop: 'user',
  stopped: 'user',
  paused: 'user',
  interrupted: 'recovery',
}

export type CheckActions = ReturnType<typeof checkActions>
