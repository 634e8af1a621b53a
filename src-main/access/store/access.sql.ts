/** SQL statements of the authority service. */
import type { AuthorityKind } from '../../contract/services/authorities.ts'
import type { TokenLevel } from '../../contract/services/security.ts'
import type { ConnectorState } from '../../contract/states/connectorStates.ts'
import type { Store } from '../../storage/storage.ts'

/** Tables of names with descriptions. */
export type DescribedTable = 'authgroup' | 'authdomain'

/** A group or a domain. */
export interface DescribedDbRow {
  id: number
  name: string
  description: string
  /** Authority connections that name it. */
  authorities: number
  /** Security rules that name it; none names a domain. */
  rules: number
}

/** Prepares the statements on groups or domains. */
export function describedStatements(store: Store, table: DescribedTable) {
  const column = table === 'authgroup' ? 'group_id' : 'domain_id'
  const index = table === 'authgroup' ? 'authconnection_by_group' : 'authconnection_by_domain'
  const rules =
    table === 'authgroup'
      ? `(SELECT COUNT(*) FROM security_rule INDEXED BY security_rule_by_group WHERE group_id = authgroup.id)`
      : '0'
  const columns = `id, name, description, ${rules} AS rules,
    (SELECT COUNT(*) FROM authconnection INDEXED BY ${index} WHERE ${column} = ${table}.id) AS authorities`
  return {
    all: store.statement<object, DescribedDbRow>(`SELECT ${columns} FROM ${table} ORDER BY name`),
    one: store.statement<{ name: string }, DescribedDbRow>(`SELECT ${columns} FROM ${table} WHERE name = @name`),
    /** Names of the first authority connections that name it. */
    users: store.statement<{ id: number; limit: number }, { name: string }>(
      `SELECT name FROM authconnection INDEXED BY ${index} WHERE ${column} = @id ORDER BY name LIMIT @limit`,
    ),
    add: store.statement<{ name: string; description: string }>(
      `INSERT INTO ${table} (name, description) VALUES (@name, @description)`,
    ),
    describe: store.statement<{ id: number; description: string }>(
      `UPDATE ${table} SET description = @description WHERE id = @id`,
    ),
    remove: store.statement<{ id: number }>(`DELETE FROM ${table} WHERE id = @id`),
  }
}

/** Columns that both kinds of connections have. */
interface CommonColumns {
  name: string
  description: string
  connector: string
  /** JSON. */
  settings: string
  connectionsMax: number
  answerSecondsMax: number
  cacheSeconds: number
  cachedUsersMax: number
}

/** A connection, with the names that its row refers to. `domain` and `groupName` are null for a mapping. */
export interface ConnectionDbRow extends CommonColumns {
  id: number
  mapping: string | null
  domain: string | null
  groupName: string | null
}

/** A connection as it is written. The names must exist. */
export type ConnectionDbInput = Omit<ConnectionDbRow, 'id'>

const common = `name, description, connector, settings`
const limits = `connections_max, answer_seconds_max, cache_seconds, cached_users_max`
const limitValues = `@connectionsMax, @answerSecondsMax, @cacheSeconds, @cachedUsersMax`
const mappingId = `(SELECT id FROM mapconnection WHERE name = @mapping)`
const domainId = `(SELECT id FROM authdomain WHERE name = @domain)`
const groupId = `(SELECT id FROM authgroup WHERE name = @groupName)`

const tables: Record<AuthorityKind, { name: string; columns: string; values: string; shown: string }> = {
  authority: {
    name: 'authconnection',
    columns: ', domain_id, group_id',
    values: `, ${domainId}, ${groupId}`,
    shown: `(SELECT name FROM authdomain WHERE id = domain_id) AS domain, (SELECT name FROM authgroup WHERE id = group_id) AS groupName`,
  },
  mapping: { name: 'mapconnection', columns: '', values: '', shown: 'NULL AS domain, NULL AS groupName' },
}

/** Prepares the statements on connections of one kind. */
export function authorityConnectionStatements(store: Store, kind: AuthorityKind) {
  const { name: table, columns, values, shown } = tables[kind]
  const selected = `SELECT each.id, each.name, each.description, each.connector, each.settings,
    each.connections_max AS connectionsMax, each.answer_seconds_max AS answerSecondsMax, each.cache_seconds AS cacheSeconds,
    each.cached_users_max AS cachedUsersMax, (SELECT name FROM mapconnection WHERE id = each.mapping_id) AS mapping, ${shown}
    FROM ${table} AS each`
  const written = `${common}, ${limits}, mapping_id${columns}`
  const given = `@name, @description, @connector, @settings, ${limitValues}, ${mappingId}${values}`
  return {
    all: store.statement<object, ConnectionDbRow>(`${selected} ORDER BY each.name`),
    one: store.statement<{ name: string }, ConnectionDbRow>(`${selected} WHERE each.name = @name`),
    add: store.statement<ConnectionDbInput>(`INSERT INTO ${table} (${written}) VALUES (${given})`),
    change: store.statement<ConnectionDbInput>(
      `UPDATE ${table} SET (${written}) = (SELECT ${given}) WHERE name = @name`,
    ),
    remove: store.statement<{ name: string }>(`DELETE FROM ${table} WHERE name = @name`),
    count: store.statement<{ connector: string }, { connections: number }>(
      `SELECT COUNT(*) AS connections FROM ${table} WHERE connector = @connector`,
    ),
  }
}

/** Prepares the statements on the connections that name a mapping. */
export function mappingUserStatements(store: Store) {
  const id = `(SELECT id FROM mapconnection WHERE name = @name)`
  return {
    users: store.statement<{ name: string; limit: number }, { name: string }>(
      `SELECT name FROM authconnection INDEXED BY authconnection_by_mapping WHERE mapping_id = ${id}
       UNION ALL SELECT name FROM mapconnection INDEXED BY mapconnection_by_mapping WHERE mapping_id = ${id}
       ORDER BY name LIMIT @limit`,
    ),
    /** The mappings before a mapping, itself included. */
    chain: store.statement<{ name: string }, { name: string }>(
      `WITH RECURSIVE before(id, name, mapping_id) AS (
         SELECT id, name, mapping_id FROM mapconnection WHERE name = @name
         UNION SELECT each.id, each.name, each.mapping_id FROM mapconnection AS each JOIN before ON each.id = before.mapping_id)
       SELECT name FROM before`,
    ),
  }
}

/** A connector that was installed at some time. */
export interface ConnectorDbRow {
  id: number
  kind: AuthorityKind
  name: string
  description: string
  module: string | null
  state: ConnectorState
}

/** Prepares the statements on connectors. */
export function authorityConnectorStatements(store: Store) {
  const columns = 'id, kind, name, description, module, state'
  return {
    all: store.statement<object, ConnectorDbRow>(`SELECT ${columns} FROM authority_connector ORDER BY kind, name`),
    one: store.statement<{ kind: AuthorityKind; name: string }, ConnectorDbRow>(
      `SELECT ${columns} FROM authority_connector WHERE kind = @kind AND name = @name`,
    ),
    add: store.statement<Omit<ConnectorDbRow, 'id'>>(
      `INSERT INTO authority_connector (kind, name, description, module, state)
       VALUES (@kind, @name, @description, @module, @state)`,
    ),
    describe: store.statement<Pick<ConnectorDbRow, 'id' | 'description' | 'module'>>(
      `UPDATE authority_connector SET description = @description, module = @module WHERE id = @id`,
    ),
  }
}

/** A security rule, with the name of its group. */
export interface SecurityRuleDbRow {
  rule: number
  job: number | null
  surtPrefix: string
  level: TokenLevel
  groupName: string
  /** JSON. */
  allow: string
  deny: string
}

/** Prepares the statements on security rules. */
export function securityRuleStatements(store: Store) {
  const columns = 'id AS rule, job, surt_prefix AS surtPrefix, level, allow, deny'
  return {
    all: store.statement<object, SecurityRuleDbRow>(
      `SELECT ${columns}, (SELECT name FROM authgroup WHERE id = group_id) AS groupName FROM security_rule
       ORDER BY COALESCE(job, 0), surt_prefix, level, group_id`,
    ),
    count: store.statement<object, { count: number }>('SELECT COUNT(*) AS count FROM security_rule'),
    set: store.statement<
      Omit<SecurityRuleDbRow, 'rule' | 'groupName'> & { groupId: number },
      Omit<SecurityRuleDbRow, 'groupName'>
    >(
      `INSERT INTO security_rule (job, surt_prefix, level, group_id, allow, deny)
       VALUES (@job, @surtPrefix, @level, @groupId, @allow, @deny)
       ON CONFLICT (COALESCE(job, 0), surt_prefix, level, group_id) DO UPDATE SET allow = @allow, deny = @deny
       RETURNING ${columns}`,
    ),
    remove: store.statement<{ rule: number }>('DELETE FROM security_rule WHERE id = @rule'),
  }
}
