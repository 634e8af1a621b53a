/** Records the definitions that a run was harvested with, and from when. Its metadata file contains them. */
import { isDeepStrictEqual } from 'node:util'
import { storedDefinition } from '../../contract/services/definition.ts'
import { jobStates } from '../../contract/states/states.ts'
import type { Store } from '../../storage/storage.ts'
import { connectorsIn } from '../capture/connectors/registry.ts'
import { namesConnection } from '../connections/namedConnections.ts'
import type { JobRow } from '../model/jobs.sql.ts'
import { definitionStatements } from './definition.sql.ts'
import { definitionText, ranWith } from './storedDefinition.ts'

/** Records a new definition (JSON). For a run that has not begun it replaces the previous one; a run in progress keeps a record of both. */
export function holdDefinition(
  store: Store,
  row: Pick<JobRow, 'id' | 'state' | 'run' | 'startedMs' | 'endedMs'>,
  { definition, nowMs }: { definition: string; nowMs: number },
): void {
  const sql = definitionStatements(store)
  const isAtRest = row.state === jobStates.initial
  const coming = isAtRest && row.endedMs !== null ? row.run + 1 : row.run
  const isBegun = !isAtRest && row.startedMs !== null
  if (!isBegun) sql.dropFrom.run({ job: row.id, run: coming })
  sql.hold.run({ job: row.id, run: coming, fromMs: isBegun ? nowMs : null, definition })
}

/** Records what the connections of a job say, if it differs from the record. Called when the engine begins to use them: a change of a
 *  connection touches none of the definitions that name it. */
export function holdConnections(store: Store, row: JobRow, nowMs: number): void {
  if (row.kind !== 'event' || !namesConnection(connectorsIn(row))) return
  const definition = definitionText(store, row.id)
  const held = ranWith(store, row.id)
  if (held !== undefined && isDeepStrictEqual(connectorsOf(held), connectorsOf(definition))) return
  store.transaction(() => holdDefinition(store, row, { definition, nowMs }))
}

function connectorsOf(definition: string): unknown {
  return storedDefinition.parse(JSON.parse(definition)).connectors
}
