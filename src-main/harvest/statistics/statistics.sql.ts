/** SQL statements about the statistics of jobs. */
import type { StopReason } from '../model/stopReasons.ts'
import type { Store } from '../../storage/storage.ts'
import type { HarvestedConfiguration } from './domainResults.ts'

/** A job that has ended and is not counted yet. */
export interface UncountedJob {
  job: number
  /** Run of the job that has ended. */
  jobRun: number
  kind: 'event' | 'import'
  endedMs: number
  stopReason: string | null
  /** Null: the job was not generated. */
  definition: number | null
  /** Run of the harvest. */
  run: number | null
  objectsMax: number | null
  bytesMax: number | null
}

/** A result per domain as it is stored. */
export interface DomainResultRow {
  job: number
  domain: string
  configuration: string
  definition: number | null
  run: number | null
  atMs: number
  objects: number
  bytes: number
  stopReason: StopReason
}

/** A run of a harvest, or a job that no harvest generated. */
export interface RunTotal {
  run: number
  endedMs: number
  jobs: number
  objects: number
  bytes: number
}

const resultColumns = `job_id AS job, domain, configuration, definition_id AS definition, run, at_ms AS atMs, objects, bytes,
  stop_reason AS stopReason`

/** Prepares the statements. */
export function statisticsStatements(store: Store) {
  return {
    /** Uses job_to_count: runs every few seconds. */
    uncounted: store.statement<{ limit: number }, UncountedJob>(
      `SELECT job.id AS job, job.run AS jobRun, harvest.kind, job.ended_ms AS endedMs, job.stop_reason AS stopReason,
              generated_job.definition_id AS definition, generated_job.run, generated_job.objects_max AS objectsMax,
              generated_job.bytes_max AS bytesMax
       FROM job INDEXED BY job_to_count JOIN harvest ON harvest.id = job.harvest_id
       LEFT JOIN generated_job ON generated_job.job_id = job.id
       WHERE job.counted_run <> job.run AND job.ended_ms IS NOT NULL AND job.state = 'INACTIVE' AND job.is_described = 1 ORDER BY job.id LIMIT @limit`,
    ),
    counted: store.statement<{ job: number; jobRun: number }>(`UPDATE job SET counted_run = @jobRun WHERE id = @job`),
    configurations: store.statement<{ job: number }, HarvestedConfiguration>(
      `SELECT generated_configuration.domain, generated_configuration.name AS configuration,
              configuration.objects_max AS objectsMax, configuration.bytes_max AS bytesMax
       FROM generated_configuration LEFT JOIN configuration ON configuration.id = configuration_id
       WHERE generated_configuration.job_id = @job ORDER BY position`,
    ),
    forget: store.statement<{ job: number }>(`DELETE FROM domain_result WHERE job_id = @job`),
    addResult: store.statement<DomainResultRow>(
      `INSERT INTO domain_result (job_id, domain, configuration, definition_id, run, at_ms, objects, bytes, stop_reason)
       VALUES (@job, @domain, @configuration, @definition, @run, @atMs, @objects, @bytes, @stopReason)`,
    ),
    addJob: store.statement<{
      job: number
      definition: number | null
      run: number | null
      endedMs: number
      objects: number
      bytes: number
    }>(
      `INSERT INTO job_statistics (job_id, definition_id, run, ended_ms, objects, bytes)
       VALUES (@job, @definition, @run, @endedMs, @objects, @bytes)
       ON CONFLICT (job_id) DO UPDATE SET ended_ms = @endedMs, objects = @objects, bytes = @bytes`,
    ),
    ofJob: store.statement<{ job: number; offset: number; limit: number }, DomainResultRow>(
      `SELECT ${resultColumns} FROM domain_result WHERE job_id = @job ORDER BY bytes DESC, domain LIMIT @limit OFFSET @offset`,
    ),
    totalOfJob: store.statement<{ job: number }, { total: number }>(
      `SELECT COUNT(*) AS total FROM domain_result WHERE job_id = @job`,
    ),
    ofDomain: store.statement<{ domain: string; offset: number; limit: number }, DomainResultRow>(
      `SELECT ${resultColumns} FROM domain_result WHERE domain = @domain ORDER BY at_ms DESC, job_id DESC LIMIT @limit OFFSET @offset`,
    ),
    totalOfDomain: store.statement<{ domain: string }, { total: number }>(
      `SELECT COUNT(*) AS total FROM domain_result WHERE domain = @domain`,
    ),
    /** Numbers of domains by stop reason, of the runs from `first` to `last`. */
    stopReasons: store.statement<
      { definition: number; first: number; last: number },
      { run: number; stopReason: StopReason; domains: number }
    >(
      `SELECT run, stop_reason AS stopReason, COUNT(*) AS domains FROM domain_result
       WHERE definition_id = @definition AND run BETWEEN @first AND @last GROUP BY run, stop_reason`,
    ),
    /** Runs all of whose jobs are counted, the newest first. */
    runs: store.statement<{ definition: number; before: number; limit: number }, RunTotal>(
      `SELECT run, MAX(ended_ms) AS endedMs, COUNT(*) AS jobs, SUM(objects) AS objects, SUM(bytes) AS bytes FROM job_statistics
       WHERE definition_id = @definition AND run < @before
         AND NOT EXISTS (SELECT 1 FROM generated_job LEFT JOIN job_statistics AS counted ON counted.job_id = generated_job.job_id
           WHERE generated_job.definition_id = @definition AND generated_job.run = job_statistics.run
             AND generated_job.resubmitted_as IS NULL AND counted.job_id IS NULL)
       GROUP BY run ORDER BY run DESC LIMIT @limit`,
    ),
  }
}
