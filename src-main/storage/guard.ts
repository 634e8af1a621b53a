/** What a state table says, said to SQLite: the trigger that refuses every other change, and the one UPDATE per event. */
import type { StateTable } from '../contract/stateTable.ts'
import { checkStates, documentStates, jobStates, preservationStates, uploadStates } from '../contract/states.ts'
import type { Store } from './storage.ts'

/** Which column of which table each machine rules. */
const columns: { table: string; column: string; machine: StateTable<string, string> }[] = [
  { table: 'job', column: 'state', machine: jobStates },
  { table: 'document', column: 'state', machine: documentStates },
  { table: 'replica_file', column: 'upload_state', machine: uploadStates },
  { table: 'replica_file', column: 'preservation_state', machine: preservationStates },
  { table: 'preservation_check', column: 'state', machine: checkStates },
]

/** Dropped and made anew at every start, so that they can never be older than the tables they come from. */
export function guardStatements(): string[] {
  return columns.flatMap(({ table, column, machine }) => {
    const trigger = `${table}_${column}_moves`
    const allowed = machine.moves.map(({ from, to }) => `'${from}>${to}'`).join(', ')
    return [
      `DROP TRIGGER IF EXISTS ${trigger}`,
      `CREATE TRIGGER ${trigger} BEFORE UPDATE OF ${column} ON ${table}
       WHEN NEW.${column} <> OLD.${column} AND OLD.${column} || '>' || NEW.${column} NOT IN (${allowed})
       BEGIN SELECT RAISE(ABORT, '${machine.name} has no such move'); END`,
    ]
  })
}

/** `move(id, event)`: the new state, or undefined when the row is absent or the table refuses the event in its state. */
export function mover<S extends string, E extends string>(
  store: Store,
  machine: StateTable<S, E>,
  { table, column = 'state', key = 'id' }: { table: string; column?: string; key?: string },
): (id: number, event: E) => S | undefined {
  const events = [...new Set(machine.moves.map(({ event }) => event))]
  const statements = new Map(
    events.map((event) => {
      const moves = machine.moves.filter((move) => move.event === event)
      const cases = moves.map(({ from, to }) => `WHEN '${from}' THEN '${to}'`).join(' ')
      const from = moves.map((move) => `'${move.from}'`).join(', ')
      const sql = `UPDATE ${table} SET ${column} = CASE ${column} ${cases} END
                   WHERE ${key} = @id AND ${column} IN (${from}) RETURNING ${column} AS state`
      return [event, store.statement<{ id: number }, { state: S }>(sql)]
    }),
  )
  return (id, event) => statements.get(event)?.get({ id })?.state
}
