/** What a state table says, said to SQLite as statements: one UPDATE per event. Every other change of the column is refused
 *  by the triggers of `triggers.ts`. */
import type { StateTable } from '../contract/stateTable.ts'
import type { Store } from './storage.ts'

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
