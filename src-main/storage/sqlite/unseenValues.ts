/** Rewrites statements so that their plans do not depend on bound values. Pure function.
 *
 *  SQLite's planner checks whether a value compared with a column is -1, 0 or 1 (`whereLoopOutputAdjust`, 3.54), and reads that of a
 *  LIMIT; such a statement is prepared again at every binding. A lookup by key, in order, took 42 to 53 us instead of 9
 *  to 16 (`bench/reports/index.md`). A unary plus does not change the value, but hides it from the planner. */
export function withUnseenValues(sql: string): string {
  return sql.replace(parameter, (found) => (found[0] === '@' || found[0] === '?' ? `+${found}` : found))
}

/** Matches a parameter, or a string, quoted name or comment, in which no parameter may be replaced. */
const parameter = /@\w+|\?|'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\//g
