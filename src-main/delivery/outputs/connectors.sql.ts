/** SQL statements about connectors of the user. */
import type { OutputConnectorState } from '../../contract/states/outputStates.ts'
import type { Store } from '../../storage/storage.ts'

/** A connector as it is stored. */
export interface ConnectorDbRow {
  id: number
  name: string
  module: string
  version: string | null
  state: OutputConnectorState
  problem: string | null
  outputs: number
}

/** Prepares the statements. */
export function connectorStatements(store: Store) {
  const columns = `SELECT id, name, module, version, state, problem,
    (SELECT COUNT(*) FROM output WHERE output.connector = output_connector.name) AS outputs FROM output_connector`
  return {
    all: store.statement<object, ConnectorDbRow>(`${columns} ORDER BY name`),
    one: store.statement<{ name: string }, ConnectorDbRow>(`${columns} WHERE name = @name`),
    add: store.statement<{ name: string; module: string; state: string }>(
      `INSERT INTO output_connector (name, module, state) VALUES (@name, @module, @state)
       ON CONFLICT (name) DO UPDATE SET module = excluded.module, state = excluded.state, problem = NULL`,
    ),
    setVersion: store.statement<{ id: number; version: string | null }>(
      `UPDATE output_connector SET version = @version, problem = NULL WHERE id = @id`,
    ),
    setProblem: store.statement<{ id: number; problem: string }>(
      `UPDATE output_connector SET problem = @problem WHERE id = @id`,
    ),
    remove: store.statement<{ id: number }>(`DELETE FROM output_connector WHERE id = @id`),
  }
}
