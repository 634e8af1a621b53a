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
    const allowed = machine.moves.map(({ from, to }) => `'${from}>${to}'`).join(', ')
    const sql = `CREATE TRIGGER ${name} BEFORE UPDATE OF ${column} ON ${table}
       WHEN NEW.${column} <> OLD.${column} AND OLD.${column} || '>' || NEW.${column} NOT IN (${allowed})
       BEGIN SELECT RAISE(ABORT, '${machine.name} has no such move'); END`
    return { name, sql }
  })
}
