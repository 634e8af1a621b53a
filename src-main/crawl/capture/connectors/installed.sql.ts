/** SQL statements for installed connectors and the jobs that use them. */
import type { ConnectorState } from '../../../contract/states/connectorStates.ts'
import type { Store } from '../../../storage/storage.ts'

/** A connector that the archive has been used with. */
export interface InstalledRow {
  id: number
  name: string
  /** The highest version that the archive was used with. */
  version: number
  state: ConnectorState
}

/** Prepares the statements. */
export function installedStatements(store: Store) {
  return {
    all: store.statement<object, InstalledRow>(`SELECT id, name, version, state FROM connector ORDER BY id`),
    add: store.statement<{ name: string; kind: string; version: number; state: ConnectorState }>(
      `INSERT INTO connector (name, kind, version, state) VALUES (@name, @kind, @version, @state)`,
    ),
    setVersion: store.statement<{ id: number; version: number }>(
      `UPDATE connector SET version = @version WHERE id = @id`,
    ),
    /** Makes the next seeding of the connector's jobs start from the beginning, since earlier ones used an older version. */
    forgetSeedings: store.statement<{ name: string }>(
      `UPDATE job SET seeding_version = NULL
       WHERE harvest_id IN (SELECT id FROM harvest WHERE kind = 'event' AND (repository = @name OR output = @name))`,
    ),
    /** Uses harvest_by_repository or harvest_by_output. */
    jobsOfRepository: store.statement<{ name: string }, { id: number; state: string }>(
      `SELECT job.id, job.state FROM harvest INDEXED BY harvest_by_repository JOIN job ON job.harvest_id = harvest.id
       WHERE harvest.repository = @name AND harvest.kind = 'event' ORDER BY job.id`,
    ),
    jobsOfOutput: store.statement<{ name: string }, { id: number; state: string }>(
      `SELECT job.id, job.state FROM harvest INDEXED BY harvest_by_output JOIN job ON job.harvest_id = harvest.id
       WHERE harvest.output = @name AND harvest.kind = 'event' ORDER BY job.id`,
    ),
  }
}
