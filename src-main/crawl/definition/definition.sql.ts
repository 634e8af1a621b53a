/** The statements about what a job is told to do, and what it was told before. */
import type { Store } from '../../storage/storage.ts'

export interface DefinitionVersionRow {
  run: number
  /** Null: from the start of that run. */
  fromMs: number | null
  definition: string
}

interface Change {
  job: number
  definition: string
}

export function definitionStatements(store: Store) {
  const columns = `run, from_ms AS fromMs, definition`
  return {
    hold: store.statement<DefinitionVersionRow & { job: number }>(
      `INSERT INTO run_definition (job_id, run, from_ms, definition) VALUES (@job, @run, @fromMs, @definition)`,
    ),
    /** Of runs that nothing was done in yet. */
    dropFrom: store.statement<{ job: number; run: number }>(
      `DELETE FROM run_definition WHERE job_id = @job AND run >= @run`,
    ),
    /** In the order in which they held, of all runs up to the one that is under way or was the last. */
    held: store.statement<{ job: number }, DefinitionVersionRow>(
      `SELECT ${columns} FROM run_definition
       WHERE job_id = @job AND run <= (SELECT run FROM job WHERE id = @job) ORDER BY id`,
    ),
    lastDefinition: store.statement<{ job: number }, DefinitionVersionRow>(
      `SELECT ${columns} FROM run_definition
       WHERE job_id = @job AND run <= (SELECT run FROM job WHERE id = @job) ORDER BY id DESC LIMIT 1`,
    ),
    /** The last run before this one that has its metadata file. */
    described: store.statement<{ job: number }, { run: number | null }>(
      `SELECT MAX(run_metadata.run) AS run FROM run_metadata JOIN job ON job.id = job_id
       WHERE job_id = @job AND run_metadata.run < job.run`,
    ),
    setDefinition: store.statement<Change & { name: string }>(
      `UPDATE harvest SET definition = @definition, name = @name WHERE id = (SELECT harvest_id FROM job WHERE id = @job)`,
    ),
    /** What the list says of the source may be wrong from now on: the next seeding is from the beginning. */
    forgetSeeding: store.statement<{ job: number }>(`UPDATE job SET seeding_version = NULL WHERE id = @job`),
    /** Seeds that are in the queue stay those of the definition, unless they are changed. */
    countUp: store.statement<{ job: number; areSeedsChanged: number }>(
      `UPDATE job SET definition_version = definition_version + 1,
              seeded_version = seeded_version + (seeded_version = definition_version AND NOT @areSeedsChanged)
       WHERE id = @job`,
    ),
  }
}
