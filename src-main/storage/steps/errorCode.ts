/** Step 41 of the schema: which kind of fault the reason of a job is, one of the contract's codes. */
export const errorCodeStep = {
  number: 41,
  sql: `
ALTER TABLE job ADD COLUMN error_code TEXT;
`,
}
