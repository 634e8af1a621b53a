/** What a repair, or a file that was brought back by its upload, writes when it is over: its entry in the audit trail, and the
 *  event in the history of the replica. */
import type { Store } from '../../storage/storage.ts'
import { auditTrail, type AuditAction } from '../audit/audit.ts'
import { replicaEvents } from './replicaEvents.ts'

export interface RepairAction extends AuditAction {
  replica: string
  by: 'person' | 'recovery'
  /** Undefined: nothing was tried, so nothing happened to the replica. */
  isRight: boolean | undefined
}

/** Gives the number of the entry. */
export function repairActions(store: Store): (action: RepairAction, nowMs: number) => number {
  const trail = auditTrail(store)
  const events = replicaEvents(store)
  return ({ replica, by, isRight, ...action }, nowMs) =>
    store.transaction(() => {
      trail.append(action, nowMs)
      const audit = trail.head()?.number
      if (audit === undefined) throw new Error('the audit trail has no entry after one was appended')
      if (isRight !== undefined) events.repaired({ replica, by, isRight, audit }, nowMs)
      return audit
    })
}
