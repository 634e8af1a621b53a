/** Statements of salted spot checks. */
import type { Store } from '../../storage/storage.ts'
import { isBad, isStored } from '../copies/copies.sql.ts'
import type { SpotVerdict } from './spotVerdict.ts'

export interface SpotRow {
  name: string
  job: number | null
  atMs: number
  salt: string
  verdict: SpotVerdict
  /** Answers of the replicas, a JSON list of `Answer`. */
  answers: string
}

const spotColumns = 'name, job_id AS job, at_ms AS atMs, salt, verdict, answers'

export function spotStatements(store: Store) {
  return {
    name: store.statement<{ id: number }, { id: number; name: string }>(
      `SELECT id, name FROM archive_file WHERE id = @id`,
    ),
    holds: store.statement<{ file: number; replica: string }, { id: number }>(
      `SELECT id FROM replica_file WHERE file_id = @file AND replica = @replica AND ${isStored}`,
    ),
    addSpot: store.statement<{
      check: number
      file: number
      nowMs: number
      salt: string
      verdict: SpotVerdict
      answers: string
    }>(
      `INSERT INTO spot (task_id, file_id, at_ms, salt, verdict, answers)
       VALUES (@check, @file, @nowMs, @salt, @verdict, @answers)`,
    ),
    /** Spots of a check. Uses spot_by_check. */
    spots: store.statement<{ check: number }, SpotRow>(
      `SELECT ${spotColumns} FROM spot JOIN archive_file ON archive_file.id = file_id
       WHERE task_id = @check ORDER BY spot.id`,
    ),
    /** The last alarming spot of each file, until every copy in `replicas` (a JSON list of names) has been read again. A later spot
     *  does not clear it, because it may not have covered all replicas. Uses spot_by_file. */
    alarming: store.statement<{ replicas: string; limit: number }, SpotRow>(
      `SELECT ${spotColumns} FROM spot JOIN archive_file ON archive_file.id = file_id
       WHERE verdict IN ('differ', 'failed')
         AND spot.id = (SELECT MAX(id) FROM spot AS later
           WHERE later.file_id = spot.file_id AND later.verdict IN ('differ', 'failed'))
         AND EXISTS (SELECT 1 FROM replica_file WHERE file_id = spot.file_id AND ${isStored}
           AND replica IN (SELECT value FROM json_each(@replicas))
           AND COALESCE(verified_ms, 0) <= spot.at_ms AND NOT ${isBad})
       ORDER BY spot.id DESC LIMIT @limit`,
    ),
  }
}

export type SpotStatements = ReturnType<typeof spotStatements>
