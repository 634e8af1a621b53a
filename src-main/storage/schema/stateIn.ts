/** States in SQL: the condition that a column holds one of the given states. A partial index is used only by a query with the same
 *  condition, so both take its text from here. */
export function stateIn(states: readonly string[], column = 'state'): string {
  return `${column} IN (${states.map((state) => `'${state}'`).join(', ')})`
}

/** The same condition as comparisons, for triggers: SQLite builds a table of a list of more than two values for every row. */
export function isOneOf(states: readonly string[], column: string): string {
  return `(${states.map((state) => `${column} = '${state}'`).join(' OR ')})`
}
