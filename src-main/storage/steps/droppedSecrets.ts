/** Step 34 of the schema: which deletions must leave no bytes behind. `PRAGMA secure_delete` overwrites what is deleted where it lay; the
 *  journal (-wal) has it until it is emptied, and this says that there is something to be emptied. */
export const droppedSecretsStep = {
  number: 34,
  sql: `
CREATE TABLE dropped_secret (               -- one row while the journal may hold bytes of deleted secrets
  id INTEGER PRIMARY KEY CHECK (id = 1),
  times INTEGER NOT NULL                    -- counted up by each deletion: whoever empties the journal sees whether more came meanwhile
);
CREATE TRIGGER cookie_is_dropped AFTER DELETE ON cookie BEGIN
  INSERT INTO dropped_secret (id, times) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET times = times + 1;
END;
`,
  // Sessions that were deleted before are still in pages that nobody uses. An archive that never had a login has none.
  compactedWhere: `SELECT 1 FROM credential UNION ALL SELECT 1 FROM harvest WHERE definition ->> 'login' IS NOT NULL LIMIT 1`,
}
