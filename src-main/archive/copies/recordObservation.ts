/** Records the finding on one copy: its state, the time of the check, and the observation. Checks use `copyRecorder` for the items of
 *  their list (`checkRunner.ts`); repairs and restores use `observationRecorder`, which runs its own transaction and writes new
 *  findings to the audit log. */
import { isBadState, isStoredCopy } from '../../contract/states/copyStates.ts'
import { preservationStates, type PreservationState } from '../../contract/states/states.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { FileRow } from './archive.sql.ts'
import { openAuditLog } from '../audit/audit.ts'
import { observedCopyStatements } from './observedCopy.sql.ts'
import { openObservations, observedAs } from './observations.ts'
import { verdictOn, type CopyReading, type Seen, type Verdict } from './verdict.ts'

export interface ObservedCopy {
  copy: number
  /** Length and checksum as registered. */
  file: { bytes: number; sha256: string }
  seen: Seen
  /** Whether the copy was just written. */
  isRestored?: boolean
}

export interface Settled {
  was: PreservationState
  /** New state; undefined when it does not change: a verified copy stays verified, and a damaged copy that is present stays damaged
   *  until its checksum matches. */
  became: PreservationState | undefined
  problem: Verdict['problem']
}

/** Creates the function that records a finding. The function must be called within a transaction. */
export function copyRecorder(store: Store): (seen: ObservedCopy, nowMs: number) => Settled {
  const { noteCopy, stateOf } = observedCopyStatements(store)
  const moveCopy = mover(store, preservationStates, { table: 'replica_file', column: 'preservation_state' })
  const observations = openObservations(store)

  return ({ copy, file, seen, isRestored = false }, nowMs) => {
    const was = stateOf.get({ id: copy })?.state
    if (was === undefined) throw new Error(`copy ${copy} left the catalogue`)
    const verdict = verdictOn(file, seen)
    const { event, problem } = verdict
    const hashed = seen.kind === 'hashed' ? seen : undefined
    noteCopy.run({
      id: copy,
      nowMs,
      verifiedMs: hashed ? nowMs : null,
      sha256: hashed?.sha256 ?? null,
      bytes: bytesOf(seen),
      changed: problem && !hashed ? 1 : 0,
    })
    const observed = observedAs(seen, verdict)
    observations.note(copy, isRestored && !problem ? { ...observed, seen: 'stored' } : observed, nowMs)
    return { was, became: moveCopy(copy, event), problem }
  }
}

export interface Observation {
  file: FileRow
  replica: string
  reading: CopyReading
  who: string
  isRestored?: boolean
}

/** Creates a function that records an observation in a transaction of its own. Copies that are not stored, and replicas that are
 *  unavailable, are ignored. */
export function observationRecorder(store: Store, clock: Clock): (noted: Observation) => void {
  const statements = observedCopyStatements(store)
  const settle = copyRecorder(store)
  const auditLog = openAuditLog(store)

  return ({ file, replica, reading, who, isRestored = false }) => {
    const copy = statements.copy.get({ file: file.id, replica })
    // A copy that was never stored has no preservation state to record.
    if (reading.kind === 'away' || !copy || !isStoredCopy(copy)) return
    const seen: Seen =
      reading.kind === 'checksum' ? { ...reading, kind: 'hashed', bytes: reading.bytes ?? file.bytes } : reading
    const nowMs = clock.now()
    store.transaction(() => {
      const { was, became, problem } = settle({ copy: copy.id, file, seen, isRestored }, nowMs)
      if (became === undefined || !(problem || isBadState(was))) return
      const what = problem ? 'finding' : 'inOrderAgain'
      const before = { replica, state: was }
      auditLog.append(
        { who, what, subject: file.name, was: before, became: { replica, state: became, ...problem } },
        nowMs,
      )
    })
  }
}

/** Length of the copy; null when unknown. */
export function bytesOf(seen: Seen): number | null {
  return 'bytes' in seen ? seen.bytes : null
}
