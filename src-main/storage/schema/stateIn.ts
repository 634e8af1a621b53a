/** States in SQL: the condition that a column holds one of the given states. A partial index is used only by a query with the same
 *  condition, so both take its text from here. */
export function stateIn(states: readonly string[], column = 'state'): string {
  return `${column} IN (${states.map((state) => `'${state}'`).join(', ')})`
}
