/** SQL statements for templates and their versions. */
import type { Store } from '../../storage/storage.ts'

/** A template, with the time of its newest version. */
export interface StoredTemplate {
  id: number
  name: string
  comments: string
  version: number
  /** Milliseconds since 1970 UTC; null: it came with Loupe. */
  changedMs: number | null
  configurations: number
}

const columns = `template.id, name, comments, template.version, created_ms AS changedMs,
  (SELECT COUNT(*) FROM configuration WHERE template_id = template.id) AS configurations`
const withNewest = `template JOIN template_version ON template_id = template.id AND template_version.version = template.version`
/** Compares names as the unique index does. */
const matches = `(@text IS NULL OR instr(lower(name), lower(@text)) > 0)`

/** Prepares the statements. */
export function templateStatements(store: Store) {
  return {
    list: store.statement<{ text: string | null; offset: number; limit: number }, StoredTemplate>(
      `SELECT ${columns} FROM ${withNewest} WHERE ${matches} ORDER BY name LIMIT @limit OFFSET @offset`,
    ),
    total: store.statement<{ text: string | null }, { total: number }>(
      `SELECT COUNT(*) AS total FROM template WHERE ${matches}`,
    ),
    one: store.statement<{ name: string }, StoredTemplate>(`SELECT ${columns} FROM ${withNewest} WHERE name = @name`),
    idOf: store.statement<{ name: string }, { id: number }>(`SELECT id FROM template WHERE name = @name`),
    add: store.statement<{ name: string; comments: string }, { id: number }>(
      `INSERT INTO template (name, comments) VALUES (@name, @comments) RETURNING id`,
    ),
    describe: store.statement<{ id: number; name: string; comments: string }>(
      `UPDATE template SET name = @name, comments = @comments WHERE id = @id`,
    ),
    setVersion: store.statement<{ id: number; version: number }>(
      `UPDATE template SET version = @version WHERE id = @id`,
    ),
    remove: store.statement<{ id: number }>(`DELETE FROM template WHERE id = @id`),
    /** Some of the configurations that use a template, as domain/name. */
    users: store.statement<{ id: number; limit: number }, { user: string }>(
      `SELECT domain.name || '/' || configuration.name AS user
       FROM configuration INDEXED BY configuration_by_template JOIN domain ON domain.id = domain_id
       WHERE template_id = @id ORDER BY configuration.id LIMIT @limit`,
    ),
  }
}

/** Prepares the statements for the versions of a template. */
export function templateVersionStatements(store: Store) {
  return {
    addVersion: store.statement<{ id: number; version: number; toml: string; nowMs: number }>(
      `INSERT INTO template_version (template_id, version, settings, created_ms) VALUES (@id, @version, @toml, @nowMs)`,
    ),
    version: store.statement<{ id: number; version: number }, { toml: string }>(
      `SELECT settings AS toml FROM template_version WHERE template_id = @id AND version = @version`,
    ),
    /** Every template at its newest version. */
    all: store.statement<object, { name: string; toml: string }>(
      `SELECT name, settings AS toml FROM ${withNewest} ORDER BY name`,
    ),
    versions: store.statement<{ id: number }, { version: number; madeMs: number | null }>(
      `SELECT version, created_ms AS madeMs FROM template_version WHERE template_id = @id ORDER BY version DESC`,
    ),
  }
}
