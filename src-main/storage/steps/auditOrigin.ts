/** Step 35 of the schema: the account, host and shell of each entry of the audit trail. Entries from before have none of the three, and
 *  their hashes are over the columns that they had (`archive/audit/audit.sql.ts`), so the chain of an older archive stays whole. */
export const auditOriginStep = {
  number: 35,
  sql: `
ALTER TABLE audit ADD COLUMN account TEXT;
ALTER TABLE audit ADD COLUMN host TEXT;
ALTER TABLE audit ADD COLUMN shell TEXT;
`,
}
