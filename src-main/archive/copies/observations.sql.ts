/** Statements of observations: the findings on each copy over time. */
import type { CopyObservation } from '../../contract/services/archivedFiles.ts'
import type { Store } from '../../storage/storage.ts'

export type SeenAs = CopyObservation['seen']

export interface ObservationRow {
  id: number
  replica: string
  seen: SeenAs
  sha256: string | null
  bytes: number | null
  firstMs: number
  lastMs: number
  times: number
}

const columns = `observation.id, replica, seen, sha256, bytes, first_ms AS firstMs, last_ms AS lastMs, times`
const withReplica = `observation JOIN replica_file ON replica_file.id = copy_id`

export function observationStatements(store: Store) {
  return {
    /** The two newest observations of a copy, newest first. Uses observation_by_copy. */
    newest: store.statement<{ copy: number }, ObservationRow>(
      `SELECT ${columns} FROM ${withReplica} WHERE copy_id = @copy ORDER BY observation.id DESC LIMIT 2`,
    ),
    add: store.statement<{ copy: number; seen: SeenAs; sha256: string | null; bytes: number | null; atMs: number }>(
      `INSERT INTO observation (copy_id, seen, sha256, bytes, first_ms, last_ms, times)
       VALUES (@copy, @seen, @sha256, @bytes, @atMs, @atMs, 1)`,
    ),
    again: store.statement<{ id: number; atMs: number }>(
      `UPDATE observation SET last_ms = @atMs, times = times + 1 WHERE id = @id`,
    ),
    remove: store.statement<{ id: number }>(`DELETE FROM observation WHERE id = @id`),
    /** Observations of all copies of a file, newest first. */
    ofFile: store.statement<{ name: string; limit: number }, ObservationRow>(
      `SELECT ${columns} FROM ${withReplica}
       WHERE copy_id IN (SELECT id FROM replica_file WHERE file_id = (SELECT id FROM archive_file WHERE name = @name))
       ORDER BY last_ms DESC, observation.id DESC LIMIT @limit`,
    ),
  }
}
