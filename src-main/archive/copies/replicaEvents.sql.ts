/** Statements of replica events: checks and repairs of each replica and their results. */
import type { ReplicaEvent } from '../../contract/services/replicas.ts'
import type { Store } from '../../storage/storage.ts'
import { isWhole } from './wholeCheck.sql.ts'

export type EventKind = ReplicaEvent['kind']
export type BegunBy = ReplicaEvent['begunBy']

export interface EventRow {
  kind: EventKind
  number: number
  begunBy: BegunBy
  atMs: number
  files: number
  filesTotal: number
  findings: number
  isDone: 0 | 1
}

export function replicaEventStatements(store: Store) {
  return {
    begin: store.statement<{
      replica: string
      kind: EventKind
      number: number
      begunBy: BegunBy
      filesTotal: number
      nowMs: number
    }>(
      `INSERT INTO replica_event (replica, kind, number, begun_by, at_ms, last_ms, files_total)
       VALUES (@replica, @kind, @number, @begunBy, @nowMs, @nowMs, @filesTotal)`,
    ),
    /** Updates the number of files that a check will read in a replica, while its list is built. */
    plan: store.statement<{ replica: string; kind: EventKind; number: number; filesTotal: number }>(
      `UPDATE replica_event SET files_total = @filesTotal WHERE replica = @replica AND kind = @kind AND number = @number`,
    ),
    count: store.statement<{
      replica: string
      kind: EventKind
      number: number
      files: number
      findings: number
      nowMs: number
    }>(
      `UPDATE replica_event SET files = files + @files, findings = findings + @findings, last_ms = @nowMs
       WHERE replica = @replica AND kind = @kind AND number = @number`,
    ),
    /** The newest event of a replica, if it is a repair event no older than `sinceMs`. */
    lastRepairs: store.statement<{ replica: string; begunBy: BegunBy; sinceMs: number }, { number: number }>(
      `SELECT number FROM (SELECT * FROM replica_event WHERE replica = @replica ORDER BY id DESC LIMIT 1)
       WHERE kind = 'repair' AND begun_by = @begunBy AND last_ms >= @sinceMs`,
    ),
    addRepair: store.statement<{ replica: string; number: number }>(
      `UPDATE replica_event SET files_total = files_total + 1
       WHERE replica = @replica AND kind = 'repair' AND number = @number`,
    ),
    /** Last events of a replica, newest first. Uses replica_event_by_replica. */
    last: store.statement<{ replica: string; limit: number }, EventRow>(
      `SELECT kind, number, begun_by AS begunBy, at_ms AS atMs, files, files_total AS filesTotal, findings,
         CASE kind
           WHEN 'spot' THEN files = files_total AND (SELECT ${isWhole} FROM task WHERE id = number)
           WHEN 'repair' THEN files = files_total
           ELSE (SELECT ${isWhole} FROM task WHERE id = number) END AS isDone
       FROM replica_event WHERE replica = @replica ORDER BY replica_event.id DESC LIMIT @limit`,
    ),
  }
}
