/** SQL statements about domains and what belongs to them. */
import type { Store } from '../../storage/storage.ts'

/** A stored domain. */
export interface DomainDbRow {
  id: number
  domain: string
  comments: string
  defaultConfiguration: string | null
  configurations: number
  aliasOf: string | null
  aliasSetMs: number | null
  traps: string
  fields: string
  createdMs: number
}

/** A stored configuration. */
export interface ConfigurationDbRow {
  id: number
  name: string
  template: string
  objectsMax: number | null
  bytesMax: number | null
  login: string | null
  fields: string
  comments: string
}

const columns = `domain.id, domain.name AS domain, domain.comments,
  (SELECT name FROM configuration WHERE configuration.id = domain.default_configuration_id) AS defaultConfiguration,
  (SELECT COUNT(*) FROM configuration WHERE domain_id = domain.id) AS configurations,
  (SELECT name FROM domain AS target WHERE target.id = domain.alias_of) AS aliasOf, domain.alias_set_ms AS aliasSetMs,
  domain.traps, domain.fields, domain.created_ms AS createdMs`
const filter = `(@text IS NULL OR instr(domain.name, @text) > 0) AND (@aliases = 0 OR domain.alias_of IS NOT NULL)`

interface Filter {
  text: string | null
  aliases: number
}

/** Prepares the statements about domains. */
export function domainStatements(store: Store) {
  return {
    list: store.statement<Filter & { offset: number; limit: number }, DomainDbRow>(
      `SELECT ${columns} FROM domain WHERE ${filter} ORDER BY domain.name LIMIT @limit OFFSET @offset`,
    ),
    total: store.statement<Filter, { total: number }>(`SELECT COUNT(*) AS total FROM domain WHERE ${filter}`),
    one: store.statement<{ domain: string }, DomainDbRow>(`SELECT ${columns} FROM domain WHERE domain.name = @domain`),
    add: store.statement<{ domain: string; nowMs: number }, { id: number }>(
      `INSERT INTO domain (name, created_ms) VALUES (@domain, @nowMs) ON CONFLICT (name) DO NOTHING RETURNING id`,
    ),
    edit: store.statement<{ id: number; comments: string; traps: string; fields: string }>(
      `UPDATE domain SET comments = @comments, traps = @traps, fields = @fields WHERE id = @id`,
    ),
    setDefault: store.statement<{ id: number; configuration: number }>(
      `UPDATE domain SET default_configuration_id = @configuration WHERE id = @id`,
    ),
    setAlias: store.statement<{ id: number; aliasOf: number | null; nowMs: number | null }>(
      `UPDATE domain SET alias_of = @aliasOf, alias_set_ms = @nowMs WHERE id = @id`,
    ),
    aliases: store.statement<{ id: number }, { domain: string }>(
      `SELECT name AS domain FROM domain WHERE alias_of = @id ORDER BY name`,
    ),
    harvests: store.statement<{ id: number }, { name: string }>(
      `SELECT DISTINCT harvest_definition.name FROM configuration
       JOIN harvest_configuration ON configuration_id = configuration.id
       JOIN harvest_definition ON harvest_definition.id = definition_id
       WHERE domain_id = @id ORDER BY harvest_definition.name`,
    ),
    remove: store.statement<{ id: number }>(`DELETE FROM domain WHERE id = @id`),
    dropUses: store.statement<{ id: number }>(
      `DELETE FROM configuration_seed_list
       WHERE configuration_id IN (SELECT id FROM configuration WHERE domain_id = @id)`,
    ),
    found: store.statement<
      { job: number; offset: number; limit: number },
      { domain: string; fetched: number; isKnown: number }
    >(
      `SELECT host.domain, SUM(host.fetched) AS fetched, EXISTS (SELECT 1 FROM domain WHERE domain.name = host.domain) AS isKnown
       FROM host WHERE job_id = @job AND host.domain <> '' GROUP BY host.domain
       ORDER BY fetched DESC, host.domain LIMIT @limit OFFSET @offset`,
    ),
    foundTotal: store.statement<{ job: number }, { total: number }>(
      `SELECT COUNT(DISTINCT domain) AS total FROM host WHERE job_id = @job AND domain <> ''`,
    ),
  }
}

/** Prepares the statements about configurations and seed lists. */
export function configurationStatements(store: Store) {
  return {
    configurations: store.statement<{ id: number }, ConfigurationDbRow>(
      `SELECT configuration.id, configuration.name, template.name AS template, objects_max AS objectsMax, bytes_max AS bytesMax, login,
              fields, configuration.comments
       FROM configuration JOIN template ON template.id = template_id WHERE domain_id = @id ORDER BY configuration.id`,
    ),
    seedListsOf: store.statement<{ configuration: number }, { name: string }>(
      `SELECT name FROM configuration_seed_list JOIN seed_list ON seed_list.id = seed_list_id
       WHERE configuration_id = @configuration ORDER BY seed_list.id`,
    ),
    setConfiguration: store.statement<
      Omit<ConfigurationDbRow, 'id' | 'template'> & { domain: number; template: number },
      { id: number }
    >(
      `INSERT INTO configuration (domain_id, name, template_id, objects_max, bytes_max, login, fields, comments)
       VALUES (@domain, @name, @template, @objectsMax, @bytesMax, @login, @fields, @comments)
       ON CONFLICT (domain_id, name) DO UPDATE SET template_id = @template, objects_max = @objectsMax, bytes_max = @bytesMax,
         login = @login, fields = @fields, comments = @comments
       RETURNING id`,
    ),
    dropSeedLists: store.statement<{ configuration: number }>(
      `DELETE FROM configuration_seed_list WHERE configuration_id = @configuration`,
    ),
    addSeedList: store.statement<{ configuration: number; domain: number; name: string }>(
      `INSERT INTO configuration_seed_list (configuration_id, seed_list_id)
       SELECT @configuration, id FROM seed_list WHERE domain_id = @domain AND name = @name ON CONFLICT DO NOTHING`,
    ),
    removeConfiguration: store.statement<{ configuration: number }>(
      `DELETE FROM configuration WHERE id = @configuration`,
    ),
    harvestsOf: store.statement<{ configuration: number }, { name: string }>(
      `SELECT name FROM harvest_configuration JOIN harvest_definition ON harvest_definition.id = definition_id
       WHERE configuration_id = @configuration ORDER BY name`,
    ),
    seedLists: store.statement<{ id: number }, { id: number; name: string; seeds: string; comments: string }>(
      `SELECT id, name, seeds, comments FROM seed_list WHERE domain_id = @id ORDER BY id`,
    ),
    setSeedList: store.statement<{ domain: number; name: string; seeds: string; comments: string }>(
      `INSERT INTO seed_list (domain_id, name, seeds, comments) VALUES (@domain, @name, @seeds, @comments)
       ON CONFLICT (domain_id, name) DO UPDATE SET seeds = @seeds, comments = @comments`,
    ),
    usersOf: store.statement<{ seedList: number }, { name: string }>(
      `SELECT name FROM configuration_seed_list JOIN configuration ON configuration.id = configuration_id
       WHERE seed_list_id = @seedList ORDER BY name`,
    ),
    removeSeedList: store.statement<{ seedList: number }>(`DELETE FROM seed_list WHERE id = @seedList`),
  }
}

/** Prepares the statements about lists of crawler traps and extended fields. */
export function institutionStatements(store: Store) {
  return {
    trapLists: store.statement<object, { name: string; comments: string; isActive: number; patterns: string }>(
      `SELECT name, comments, is_active AS isActive, patterns FROM trap_list ORDER BY name`,
    ),
    setTrapList: store.statement<{ name: string; comments: string; isActive: number; patterns: string }>(
      `INSERT INTO trap_list (name, comments, is_active, patterns) VALUES (@name, @comments, @isActive, @patterns)
       ON CONFLICT (name) DO UPDATE SET name = @name, comments = @comments, is_active = @isActive, patterns = @patterns`,
    ),
    removeTrapList: store.statement<{ name: string }>(`DELETE FROM trap_list WHERE name = @name`),
    fields: store.statement<object, FieldDbRow>(
      `SELECT subject, name, kind, choices, usual, is_required AS isRequired FROM extended_field ORDER BY subject, position`,
    ),
    setField: store.statement<FieldDbRow>(
      `INSERT INTO extended_field (subject, name, kind, choices, usual, is_required, position)
       VALUES (@subject, @name, @kind, @choices, @usual, @isRequired,
         (SELECT 1 + COALESCE(MAX(position), 0) FROM extended_field WHERE subject = @subject))
       ON CONFLICT (subject, name) DO UPDATE SET kind = @kind, choices = @choices, usual = @usual, is_required = @isRequired`,
    ),
    removeField: store.statement<{ subject: string; name: string }>(
      `DELETE FROM extended_field WHERE subject = @subject AND name = @name`,
    ),
  }
}

/** A stored extended field. */
export interface FieldDbRow {
  subject: 'domain' | 'configuration' | 'harvest'
  name: string
  kind: 'text' | 'number' | 'boolean' | 'date' | 'choice' | 'note'
  choices: string
  usual: string | null
  isRequired: number
}
