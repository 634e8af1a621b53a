/** Removes a deleted job from the database in steps, its own row last. Its number is not reused, since the names of the files
 *  in the archive contain it. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { scannedCountMax } from '../model/limits.ts'

/** Tables that may hold a row for each document of the job. A cascade from the job's row would delete them all in one
 *  transaction. */
const long = ['job_event', 'hop_node', 'removed_document', 'run_url', 'host'] as const
/** Tables whose rows belong to a file of an import. */
const ofImportedFiles = ['imported_finding', 'imported_finding_count', 'imported_document'] as const
const short = ['import_task', 'imported_truncation', 'imported_file', 'import_file', 'harvest_file'] as const

/** Removes the job; can be repeated after a kill or an abort. */
export async function removeJob(
  { store, world, signal }: { store: Store; world: Pick<World, 'clock'>; signal: AbortSignal },
  job: number,
): Promise<void> {
  for (const table of long) {
    const some = store.statement<{ job: number; limit: number }>(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE job_id = @job LIMIT @limit)`,
    )
    while (some.run({ job, limit: scannedCountMax }) > 0) await world.clock.sleep(0, signal)
  }
  const run = (sql: string) => store.statement<{ job: number }>(sql).run({ job })
  const nowMs = world.clock.now()
  store.transaction(() => {
    for (const table of ofImportedFiles)
      run(`DELETE FROM ${table} WHERE file_id IN (SELECT id FROM imported_file WHERE job_id = @job)`)
    for (const table of short) run(`DELETE FROM ${table} WHERE job_id = @job`)
    store
      .statement<{ job: number; nowMs: number }>(
        `INSERT INTO deleted_job (id, name, deleted_ms)
         SELECT job.id, harvest.name, @nowMs FROM job JOIN harvest ON harvest.id = harvest_id WHERE job.id = @job`,
      )
      .run({ job, nowMs })
    const harvest = store
      .statement<{ job: number }, { id: number }>('SELECT harvest_id AS id FROM job WHERE id = @job')
      .get({ job })
    run('DELETE FROM job WHERE id = @job')
    // Another job may use the same harvest.
    if (harvest)
      store
        .statement<{ id: number }>(
          'DELETE FROM harvest WHERE id = @id AND NOT EXISTS (SELECT 1 FROM job WHERE harvest_id = @id)',
        )
        .run(harvest)
  })
}
