/** SQL statements for the names of jobs, for a search over all names. */
import type { Store } from '../../storage/storage.ts'

/** Prepares the statements. */
export function jobNameStatements(store: Store) {
  return {
    /** In the order of the numbers. */
    after: store.statement<{ after: number; limit: number }, { id: number; name: string }>(
      `SELECT job.id, harvest.name FROM job JOIN harvest ON harvest.id = job.harvest_id WHERE job.id > @after ORDER BY job.id LIMIT @limit`,
    ),
    one: store.statement<{ id: number }, { name: string }>(
      `SELECT harvest.name FROM job JOIN harvest ON harvest.id = job.harvest_id WHERE job.id = @id`,
    ),
  }
}
