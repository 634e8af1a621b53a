/** Step 29 of the schema: a view may show nothing inexact. */
export const exactViewsStep = {
  number: 29,
  sql: `
ALTER TABLE view ADD COLUMN is_exact INTEGER NOT NULL DEFAULT 0;    -- 1: only what was captured under the very address
`,
}
