/** Builds SQL statements from state tables: one UPDATE per event. The triggers of `triggers.ts` refuse every other change of the
 *  column. */
import type { StateTable } from '../contract/states/stateTable.ts'
import { stateIn } from './schema/stateIn.ts'
import type { Store } from './storage.ts'

/** Parts of a statement that applies an event to many rows: `UPDATE t SET ${set}, … WHERE ${from} AND …`. Rows whose state does not
 *  allow the event are left unchanged. Throws for an event that the table does not have. */
export function moveSql<S extends string, E extends string>(
  machine: StateTable<S, E>,
  event: E,
  { column = 'state' }: { column?: string } = {},
): { set: string; from: string } {
  const moves = machine.moves.filter((move) => move.event === event)
  if (moves.length === 0) throw new Error(`${machine.name} has no event ${event}`)
  const targets = new Set(moves.map(({ to }) => to))
  const cases = moves.map(({ from, to }) => `WHEN '${from}' THEN '${to}'`).join(' ')
  return {
    set: targets.size === 1 ? `${column} = '${moves[0]?.to}'` : `${column} = CASE ${column} ${cases} END`,
    from: stateIn(
      moves.map(({ from }) => from),
      column,
    ),
  }
}

/** Creates `move(id, event)`, which returns the new state, or undefined when the row is absent or its state does
 *  not allow the event. One statement per event is prepared. To change further columns in the same UPDATE, use
 *  `moveSql`. */
export function mover<S extends string, E extends string>(
  store: Store,
  machine: StateTable<S, E>,
  { table, column = 'state', key = 'id' }: { table: string; column?: string; key?: string },
): (id: number, event: E) => S | undefined {
  const events = [...new Set(machine.moves.map(({ event }) => event))]
  const statements = new Map(
    events.map((event) => {
      const { set, from } = moveSql(machine, event, { column })
      const sql = `UPDATE ${table} SET ${set} WHERE ${key} = @id AND ${from} RETURNING ${column} AS state`
      return [event, store.statement<{ id: number }, { state: S }>(sql)]
    }),
  )
  return (id, event) => statements.get(event)?.get({ id })?.state
}
