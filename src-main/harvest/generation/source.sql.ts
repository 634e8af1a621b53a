/** SQL statements that read what the jobs of a run are made from. */
import type { Store } from '../../storage/storage.ts'
import type { PastResult } from '../model/configurations.ts'

/** A configuration as it is read for a run. */
export interface SourceRow {
  id: number
  domain: string
  name: string
  template: string
  /** JSON of its extended fields. */
  attributes: string
  objectsMax: number | null
  bytesMax: number | null
}

const columns = `configuration.id, domain.name AS domain, configuration.name, template.name AS template,
  configuration.fields AS attributes, configuration.objects_max AS objectsMax,
  configuration.bytes_max AS bytesMax`
const joins = `JOIN domain ON domain.id = configuration.domain_id JOIN template ON template.id = configuration.template_id`
/** Jobs of a harvest: those that were repeated have no results of their own. */
const resultOfPrevious = `SELECT 1 FROM domain_result
  WHERE domain_result.domain = domain.name AND domain_result.configuration = configuration.name AND definition_id = @previous
    AND (stop_reason = 'DOWNLOAD_COMPLETE' OR stop_reason = 'CONFIG_SIZE_LIMIT' AND configuration.bytes_max <= domain_result.bytes
      OR stop_reason = 'CONFIG_OBJECT_LIMIT' AND configuration.objects_max <= domain_result.objects)`

/** An alias counts until this time after it was set or renewed. */
export interface AliasTime {
  nowMs: number
  aliasMs: number
}

interface Page {
  after: number
  limit: number
}

/** Prepares the statements. */
export function sourceStatements(store: Store) {
  return {
    /** Configurations of a selective or event harvest. */
    chosen: store.statement<{ definition: number } & Page, SourceRow>(
      `SELECT ${columns} FROM harvest_configuration JOIN configuration ON configuration.id = configuration_id ${joins}
       WHERE definition_id = @definition AND configuration_id > @after ORDER BY configuration_id LIMIT @limit`,
    ),
    /** Default configurations of all domains, without aliases that have not expired. */
    everyDomain: store.statement<AliasTime & Page, SourceRow>(
      `SELECT ${columns} FROM configuration ${joins}
       WHERE configuration.id = domain.default_configuration_id AND configuration.id > @after
         AND (domain.alias_of IS NULL OR domain.alias_set_ms + @aliasMs < @nowMs)
       ORDER BY configuration.id LIMIT @limit`,
    ),
    /** What an earlier snapshot harvested and did not complete; a limit of the configuration that was raised is not reached any more. */
    unfinished: store.statement<{ previous: number } & AliasTime & Page, SourceRow>(
      `SELECT ${columns} FROM configuration ${joins}
       WHERE configuration.id = domain.default_configuration_id AND configuration.id > @after
         AND (domain.alias_of IS NULL OR domain.alias_set_ms + @aliasMs < @nowMs)
         AND EXISTS (SELECT 1 FROM generated_configuration JOIN generated_job ON generated_job.job_id = generated_configuration.job_id
           WHERE generated_configuration.domain = domain.name AND generated_job.definition_id = @previous)
         AND NOT EXISTS (${resultOfPrevious})
       ORDER BY configuration.id LIMIT @limit`,
    ),
    seeds: store.statement<{ configuration: number }, { seeds: string }>(
      `SELECT seeds FROM configuration_seed_list JOIN seed_list ON seed_list.id = seed_list_id
       WHERE configuration_id = @configuration ORDER BY seed_list.id`,
    ),
    history: store.statement<{ domain: string; configuration: string; limit: number }, PastResult>(
      `SELECT at_ms AS atMs, objects, bytes, stop_reason AS stopReason FROM domain_result
       WHERE domain = @domain AND configuration = @configuration ORDER BY at_ms DESC LIMIT @limit`,
    ),
    details: store.statement<{ configuration: number }, { traps: string; login: string | null }>(
      `SELECT domain.traps, configuration.login FROM configuration JOIN domain ON domain.id = configuration.domain_id
       WHERE configuration.id = @configuration`,
    ),
    trapLists: store.statement<object, { patterns: string }>(
      `SELECT patterns FROM trap_list WHERE is_active = 1 ORDER BY id`,
    ),
    aliasesOf: store.statement<{ domain: string } & AliasTime, { name: string }>(
      `SELECT alias.name FROM domain AS alias JOIN domain ON domain.id = alias.alias_of
       WHERE domain.name = @domain AND alias.alias_set_ms + @aliasMs >= @nowMs ORDER BY alias.name`,
    ),
    /** Jobs of one run of a harvest; `run` null: of all its runs. */
    jobsOfRun: store.statement<{ definition: number; run: number | null }, { job: number }>(
      `SELECT job_id AS job FROM generated_job WHERE definition_id = @definition AND (@run IS NULL OR run = @run)
         AND resubmitted_as IS NULL AND is_ready = 1 ORDER BY job_id`,
    ),
  }
}
