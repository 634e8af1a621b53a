/** SQL statements about patch jobs. */
import { missStates } from '../../contract/states/missStates.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'

/** A row of the table `patch_job`. */
export interface PatchRow {
  job: number
  patches: number
  misses: number
  createdMs: number
}

const patched = moveSql(missStates, 'patched')

/** Prepares the statements. */
export function patchStatements(store: Store) {
  return {
    /** Misses among `ids`, a JSON list, that can be patched, in the order of their jobs. */
    patchable: store.statement<{ ids: string }, { id: number; job: number; url: string }>(
      `SELECT id, job_id AS job, url FROM miss
       WHERE id IN (SELECT value FROM json_each(@ids)) AND ${patched.from} AND reason <> 'method' ORDER BY job_id, id`,
    ),
    moveTo: store.statement<{ ids: string; patchJob: number }>(
      `UPDATE miss SET ${patched.set}, patch_job = @patchJob WHERE id IN (SELECT value FROM json_each(@ids)) AND ${patched.from}`,
    ),
    add: store.statement<PatchRow>(
      `INSERT INTO patch_job (job_id, patches, misses, created_ms) VALUES (@job, @patches, @misses, @createdMs)`,
    ),
    list: store.statement<{ jobs: string }, PatchRow>(
      `SELECT job_id AS job, patches, misses, created_ms AS createdMs FROM patch_job
       WHERE patches IN (SELECT value FROM json_each(@jobs)) ORDER BY job_id`,
    ),
  }
}
