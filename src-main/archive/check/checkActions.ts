/** Writes a check's entries to the audit log: its start and end, new findings, and copies that are in order again. A copy whose
 *  state did not change gets no entry; the check itself records that it was read. */
import { isBadState } from '../../contract/states/copyStates.ts'
import type { PreservationState } from '../../contract/states/states.ts'
import type { AuditTrail, AuditAction } from '../audit/audit.ts'
import { problemOf, replicasOf } from './checkSummary.ts'
import type { CheckRow, NameFinding } from './preservation.sql.ts'
import type { Verdict } from '../copies/verdict.ts'

/** The events that end a check. */
export type CheckEnd = 'finished' | 'finishedWithFindings' | 'stop' | 'interrupted' | 'failed'

/** Change of the preservation state of one copy. */
export interface CopyMove {
  replica: string
  name: string
  was: PreservationState
  became: PreservationState
  problem: Verdict['problem']
}

/** Creates the writer of a check's audit entries. Its functions append within the caller's transaction. */
export function checkActions(trail: AuditTrail) {
  const subjectOf = ({ id }: CheckRow) => `check ${id}`
  return {
    /** Records that a check started or resumed. */
    begun(check: CheckRow, nowMs: number): void {
      const { kind, filesPattern, sample, filesTotal, filesDone } = check
      const became = { kind, replicas: replicasOf(check), files: filesPattern, sample, filesTotal, filesDone }
      trail.append({ who: check.begunBy, what: 'checkBegun', subject: subjectOf(check), became }, nowMs)
    },
    ended(check: CheckRow, event: CheckEnd, nowMs: number): void {
      const { state, filesTotal, filesDone, findings } = check
      const who = event === 'stop' ? 'person' : event === 'interrupted' ? 'recovery' : check.begunBy
      const became = { state, filesTotal, filesDone, findings, problem: problemOf(check) }
      trail.append({ who, what: 'checkEnded', subject: subjectOf(check), became }, nowMs)
    },
    /** Records a new finding, or that a bad copy is in order again. */
    moved(check: CheckRow, { replica, name, was, became, problem }: CopyMove, nowMs: number): void {
      if (!problem && !isBadState(was)) return
      const action: AuditAction = {
        who: check.begunBy,
        what: problem ? 'finding' : 'inOrderAgain',
        subject: name,
        was: { replica, state: was },
        became: { replica, state: became, check: check.id, ...problem },
      }
      trail.append(action, nowMs)
    },
    found(
      check: CheckRow,
      { replica, name, finding }: { replica: string; name: string; finding: NameFinding },
      nowMs: number,
    ): void {
      const became = { replica, check: check.id, finding }
      trail.append({ who: check.begunBy, what: 'finding', subject: name, became }, nowMs)
    },
  }
}

export type CheckActions = ReturnType<typeof checkActions>
