/** SQL statements for the current definition of a job and its earlier versions. */
import type { Store } from '../../storage/storage.ts'

/** A definition and the run in which it was in effect. */
export interface DefinitionVersionRow {
  run: number
  /** Time from which it was in effect, in milliseconds since 1970 UTC; null: from the start of the run. */
  fromMs: number | null
  definition: string
}

interface Change {
  job: number
  definition: string
}

/** Prepares the statements about definitions. */
export function definitionStatements(store: Store) {
  const columns = `run, from_ms AS fromMs, definition`
  return {
    hold: store.statement<DefinitionVersionRow & { job: number }>(
      `INSERT INTO run_definition (job_id, run, from_ms, definition) VALUES (@job, @run, @fromMs, @definition)`,
    ),
    /** Deletes the definitions of runs that have not begun. */
    dropFrom: store.statement<{ job: number; run: number }>(
      `DELETE FROM run_definition WHERE job_id = @job AND run >= @run`,
    ),
    /** All definitions up to the run that is in progress or ended last, in the order in which they were in effect. */
    held: store.statement<{ job: number }, DefinitionVersionRow>(
      `SELECT ${columns} FROM run_definition
       WHERE job_id = @job AND run <= (SELECT run FROM job WHERE id = @job) ORDER BY id`,
    ),
    lastDefinition: store.statement<{ job: number }, DefinitionVersionRow>(
      `SELECT ${columns} FROM run_definition
       WHERE job_id = @job AND run <= (SELECT run FROM job WHERE id = @job) ORDER BY id DESC LIMIT 1`,
    ),
    /** The output of the last definition up to this run, read without the definition. */
    lastOutput: store.statement<{ job: number }, { output: 'archive' | 'null' }>(
      `SELECT output FROM run_definition INDEXED BY run_definition_output
       WHERE job_id = @job AND run <= (SELECT run FROM job WHERE id = @job) ORDER BY id DESC LIMIT 1`,
    ),
    /** The last run before the current one that has a metadata file. */
    described: store.statement<{ job: number }, { run: number | null }>(
      `SELECT MAX(run_metadata.run) AS run FROM run_metadata JOIN job ON job.id = job_id
       WHERE job_id = @job AND run_metadata.run < job.run`,
    ),
    setDefinition: store.statement<Change & { name: string }>(
      `UPDATE harvest SET definition = @definition, name = @name WHERE id = (SELECT harvest_id FROM job WHERE id = @job)`,
    ),
    /** The listed state of the source may be wrong under the new definition, so the next seeding starts from the beginning. */
    forgetSeeding: store.statement<{ job: number }>(`UPDATE job SET seeding_version = NULL WHERE id = @job`),
    /** Increases the version of the definition. Queued seeds stay valid unless the seeds themselves changed. */
    countUp: store.statement<{ job: number; areSeedsChanged: number }>(
      `UPDATE job SET definition_version = definition_version + 1,
              seeded_version = seeded_version + (seeded_version = definition_version AND NOT @areSeedsChanged)
       WHERE id = @job`,
    ),
  }
}
