/** SQL statements for connections and the jobs that use them. */
import type { ConnectionKind } from '../../contract/services/connections.ts'
import type { JobState } from '../../contract/states/jobStates.ts'
import type { Store } from '../../storage/storage.ts'

/** A connection without its throttles. */
export interface ConnectionDbRow {
  id: number
  name: string
  description: string
  kind: ConnectionKind
  /** JSON. */
  settings: string
  connectionsMax: number
}

/** A throttle of a connection; null: no limit, or no description. */
export interface ThrottleDbRow {
  match: string
  description: string | null
  fetchesPerMinute: number | null
  connections: number | null
  bytesPerSecond: number | null
}

/** A job that uses a connection. */
export interface UserRow {
  job: number
  name: string
}

const columns = `id, name, description, kind, settings, connections_max AS connectionsMax`

/** Prepares the statements that list and change connections. */
export function connectionStatements(store: Store) {
  return {
    all: store.statement<object, ConnectionDbRow>(`SELECT ${columns} FROM connection ORDER BY name`),
    one: store.statement<{ name: string }, ConnectionDbRow>(`SELECT ${columns} FROM connection WHERE name = @name`),
    throttles: store.statement<{ id: number }, ThrottleDbRow>(
      `SELECT match, description, fetches_per_minute AS fetchesPerMinute, connections_max AS connections,
              bytes_per_second AS bytesPerSecond
       FROM connection_throttle WHERE connection_id = @id ORDER BY position`,
    ),
    add: store.statement<Omit<ConnectionDbRow, 'id'>, { id: number }>(
      `INSERT INTO connection (name, description, kind, settings, connections_max)
       VALUES (@name, @description, @kind, @settings, @connectionsMax) RETURNING id`,
    ),
    change: store.statement<Omit<ConnectionDbRow, 'name' | 'kind'>>(
      `UPDATE connection SET description = @description, settings = @settings, connections_max = @connectionsMax WHERE id = @id`,
    ),
    remove: store.statement<{ id: number }>(`DELETE FROM connection WHERE id = @id`),
    dropThrottles: store.statement<{ id: number }>(`DELETE FROM connection_throttle WHERE connection_id = @id`),
    addThrottle: store.statement<{ id: number; position: number } & ThrottleDbRow>(
      `INSERT INTO connection_throttle (connection_id, position, match, description, fetches_per_minute, connections_max, bytes_per_second)
       VALUES (@id, @position, @match, @description, @fetchesPerMinute, @connections, @bytesPerSecond)`,
    ),
  }
}

/** Prepares the statements about the jobs that use a connection of one kind. */
export function connectionUserStatements(store: Store, kind: ConnectionKind) {
  const harvests = `harvest INDEXED BY harvest_by_${kind}_connection`
  const jobs = `${harvests} JOIN job INDEXED BY job_by_harvest ON job.harvest_id = harvest.id`
  const namesIt = `harvest.${kind}_connection = @name`
  return {
    /** Newest first. */
    users: store.statement<{ name: string; limit: number }, UserRow>(
      `SELECT job.id AS job, harvest.name FROM ${jobs} WHERE ${namesIt} ORDER BY job.id DESC LIMIT @limit`,
    ),
    /** Jobs with a run in progress. */
    running: store.statement<{ name: string; atRest: JobState }, { job: number }>(
      `SELECT job.id AS job FROM ${jobs} WHERE ${namesIt} AND job.state <> @atRest ORDER BY job.id`,
    ),
    count: store.statement<{ name: string }, { jobs: number }>(`SELECT COUNT(*) AS jobs FROM ${jobs} WHERE ${namesIt}`),
    /** First seeds of its jobs, JSON. */
    seeds: store.statement<{ name: string }, { job: number; seeds: string }>(
      `SELECT job.id AS job, harvest_outline.seeds
       FROM ${jobs} JOIN harvest_outline ON harvest_outline.harvest_id = harvest.id
       WHERE ${namesIt} ORDER BY job.id`,
    ),
    /** Makes runs in progress continue with the changed connection. Queued seeds stay valid. */
    renew: store.statement<{ name: string; isFromBeginning: number }>(
      `UPDATE job SET definition_version = definition_version + 1,
              seeded_version = seeded_version + (seeded_version = definition_version),
              seeding_version = CASE WHEN @isFromBeginning THEN NULL ELSE seeding_version END
       WHERE harvest_id IN (SELECT harvest.id FROM ${harvests} WHERE ${namesIt})`,
    ),
  }
}
