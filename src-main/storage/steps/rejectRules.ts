/** Step 33 of the schema: no rule is given up any more for the time that it takes. */
export const rejectRulesStep = {
  number: 33,
  sql: `
-- It was set when a rule had taken too long on a URL. Every pattern is matched in linear time now, so such a rule holds again.
ALTER TABLE reject_rule DROP COLUMN given_up_ms;
`,
}
