/** Step 31 of the schema: a record may name another payload digest than the one that captures are compared by. */
export const namedDigestsStep = {
  number: 31,
  sql: `
ALTER TABLE capture ADD COLUMN named_digest TEXT;   -- WARC-Payload-Digest of the record, where it is not payload_digest
`,
}
