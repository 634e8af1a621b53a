/** History of checks and repairs by replica, counted while they run, so that showing it costs one row per event whatever the number of
 *  files. Each count runs in the transaction of the counted change. Findings are kept by `preservation.ts`, actions by `audit.ts`. */
import type { ReplicaEvent } from '../../contract/services/replicas.ts'
import type { Store } from '../../storage/storage.ts'
import { repairsTogetherMs, replicaEventsCountMax } from '../files/limits.ts'
import { replicaEventStatements, type BegunBy, type EventKind } from './replicaEvents.sql.ts'

/** The part of a check or spot check that concerns one replica. */
export interface Looking {
  replica: string
  kind: Exclude<EventKind, 'repair'>
  number: number
}

export interface ReplicaEvents {
  begin(looking: Looking, order: { begunBy: BegunBy; filesTotal: number }, nowMs: number): void
  /** Sets the number of files on the check's list, as it grows. */
  plan(looking: Looking, filesTotal: number): void
  count(looking: Looking, counts: { files: number; findings: number }, nowMs: number): void
  /** Records that one copy was repaired or could not be; `audit` is the number of the audit entry. */
  repaired(copy: { replica: string; by: BegunBy; isRight: boolean; audit: number }, nowMs: number): void
  /** Last events of a replica, oldest first. */
  last(replica: string): ReplicaEvent[]
}

/** Opens the events. All functions that write run within the caller's transaction. */
export function replicaEvents(store: Store): ReplicaEvents {
  const statements = replicaEventStatements(store)
  return {
    begin: (looking, order, nowMs) => void statements.begin.run({ ...looking, ...order, nowMs }),
    plan: (looking, filesTotal) => void statements.plan.run({ ...looking, filesTotal }),
    count: (looking, counts, nowMs) => void statements.count.run({ ...looking, ...counts, nowMs }),
    repaired({ replica, by: begunBy, isRight, audit }, nowMs) {
      const kind = 'repair'
      const known = statements.lastRepairs.get({ replica, begunBy, sinceMs: nowMs - repairsTogetherMs })
      const number = known?.number ?? audit
      if (known) statements.addRepair.run({ replica, number })
      else statements.begin.run({ replica, kind, number, begunBy, filesTotal: 1, nowMs })
      const counts = isRight ? { files: 1, findings: 0 } : { files: 0, findings: 1 }
      statements.count.run({ replica, kind, number, ...counts, nowMs })
    },
    last: (replica) =>
      statements.last
        .all({ replica, limit: replicaEventsCountMax })
        .toReversed()
        .map(({ atMs, isDone, ...event }) => ({
          ...event,
          at: new Date(atMs).toISOString(),
          state: isDone ? (event.findings === 0 ? 'done' : 'doneWithFindings') : 'unfinished',
        })),
  }
}
