/** Records the end of a repair, or of a restore from an upload: the entry in the audit log and the event in the replica's history. */
import type { Store } from '../../storage/storage.ts'
import { openAuditLog, type AuditAction } from '../audit/audit.ts'
import { replicaEvents } from './replicaEvents.ts'

export interface RepairAction extends AuditAction {
  replica: string
  by: 'user' | 'recovery'
  /** Whether the copy is right now; undefined when nothing was attempted, so that there is no event for the replica. */
  isRight: boolean | undefined
}

/** Creates the function that records an action and returns the number of its audit entry. */
export function repairActions(store: Store): (action: RepairAction, nowMs: number) => number {
  const auditLog = openAuditLog(store)
  const events = replicaEvents(store)
  return ({ replica, by, isRight, ...action }, nowMs) =>
    store.transaction(() => {
      auditLog.append(action, nowMs)
      const audit = auditLog.head()?.number
      if (audit === undefined) throw new Error('the audit log has no entry after one was appended')
      if (isRight !== undefined) events.repaired({ replica, by, isRight, audit }, nowMs)
      return audit
    })
}
