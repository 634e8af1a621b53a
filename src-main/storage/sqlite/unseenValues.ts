/** Statements whose plans do not hang on the values that are bound to them. Pure.
 *
 *  SQLite's planner looks at a value that is compared with a column for being -1, 0 or 1 (`whereLoopOutputAdjust`, 3.54), and at that of
 *  a LIMIT; such a statement is prepared again at every binding. A lookup by key, in order, took 28 to 60 us
 *  instead of 5 (`bench/README.md`). The plus sign says nothing, and the planner does not look behind it. */
export function withUnseenValues(sql: string): string {
  return sql.replace(parameter, (found) => (found[0] === '@' || found[0] === '?' ? `+${found}` : found))
}

/** A parameter; or a text in quotes, a name in quotes, or a comment, in which none stands. */
const parameter = /@\w+|\?|'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\//g
