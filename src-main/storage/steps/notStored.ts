/** Step 40 of the schema: a check also reports registered files that were never stored in a replica. SQLite cannot change a CHECK,
 *  so the table is written again: of checks that are done it holds only what was found. */
export const notStoredStep = {
  number: 40,
  sql: `
CREATE TABLE preservation_item_of_now (     -- one (file, replica) a check has to look at; done_ms makes it resumable
  id INTEGER PRIMARY KEY,
  check_id INTEGER NOT NULL REFERENCES preservation_check(id),
  replica_file_id INTEGER REFERENCES replica_file(id),  -- null: not stored there when the check began, or not in the catalogue
  replica TEXT NOT NULL,
  name TEXT NOT NULL,
  done_ms INTEGER,
  finding TEXT CHECK (finding IN ('missing', 'wrongLength', 'wrongChecksum', 'unreadable', 'surplus', 'notStored')),
  expected TEXT,
  found TEXT
);
INSERT INTO preservation_item_of_now SELECT id, check_id, replica_file_id, replica, name, done_ms, finding, expected, found
  FROM preservation_item;
DROP TABLE preservation_item;
ALTER TABLE preservation_item_of_now RENAME TO preservation_item;
CREATE INDEX preservation_item_by_check ON preservation_item (check_id, done_ms, id);
CREATE INDEX preservation_item_by_id ON preservation_item (check_id, id);
CREATE INDEX preservation_item_finding ON preservation_item (replica_file_id, id) WHERE finding IS NOT NULL;
`,
}
