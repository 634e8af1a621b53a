/** Triggers that enforce the state tables: they refuse every transition that a table does not contain, whatever the UPDATE. `guard.ts`
 *  builds the statements for the allowed transitions. */
import type { StateTable } from '../../contract/states/stateTable.ts'
import {
  auditedPageStates,
  connectorStates,
  deliveryStates,
  documentStates,
  importedFileStates,
  jobStates,
  missStates,
  outputConnectorStates,
  outputNoticeStates,
  preservationStates,
  taskStates,
  uploadStates,
} from '../../contract/states/states.ts'

/** The columns that hold the states of each state table. */
export const ruledColumns: { table: string; column: string; machine: StateTable<string, string> }[] = [
  { table: 'job', column: 'state', machine: jobStates },
  { table: 'document', column: 'state', machine: documentStates },
  { table: 'replica_file', column: 'upload_state', machine: uploadStates },
  { table: 'replica_file', column: 'preservation_state', machine: preservationStates },
  { table: 'imported_file', column: 'state', machine: importedFileStates },
  { table: 'miss', column: 'state', machine: missStates },
  { table: 'page_audit_page', column: 'state', machine: auditedPageStates },
  { table: 'task', column: 'state', machine: taskStates },
  { table: 'connector', column: 'state', machine: connectorStates },
  { table: 'authority_connector', column: 'state', machine: connectorStates },
  { table: 'delivery_status', column: 'state', machine: deliveryStates },
  { table: 'output_connector', column: 'state', machine: outputConnectorStates },
  { table: 'output_notice', column: 'state', machine: outputNoticeStates },
]

/** A trigger of the database, by name, with the statement that creates it. */
export interface Trigger {
  name: string
  sql: string
}

/** The triggers for the current tables. `storage.ts` replaces those that differ at every start. */
export function guardTriggers(): Trigger[] {
  return ruledColumns.map(({ table, column, machine }) => {
    const name = `${table}_${column}_moves`
    const sql = `CREATE TRIGGER ${name} AFTER UPDATE OF ${column} ON ${table}
       WHEN NEW.${column} <> OLD.${column} AND NOT ${isAllowed(column, machine)}
       BEGIN SELECT RAISE(ABORT, '${machine.name} has no such move'); END`
    return { name, sql }
  })
}

/** The condition that a row makes a move of the table. It compares and has no list of moves: SQLite builds a table of such a list for
 *  every row. With a list, an update of a document took 31 µs, with comparisons 21 (3,433 documents, no other trigger). */
function isAllowed(column: string, { moves }: StateTable<string, string>): string {
  const byFrom = Object.entries(Object.groupBy(moves, ({ from }) => from))
  const cases = byFrom.map(([from, leaving = []]) => {
    const targets = [...new Set(leaving.map(({ to }) => `NEW.${column} = '${to}'`))]
    return `WHEN '${from}' THEN ${targets.join(' OR ')}`
  })
  return `CASE OLD.${column} ${cases.join(' ')} ELSE 0 END`
}
