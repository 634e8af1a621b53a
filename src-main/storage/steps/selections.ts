/** Step 32 of the schema: a view and an export may be of files by their names or of everything, and an import finds a file that is
 *  archived already by its bytes. */
export const selectionsStep = {
  number: 32,
  sql: `
ALTER TABLE view ADD COLUMN files TEXT NOT NULL DEFAULT '[]';       -- JSON list of names in the archive, sorted
ALTER TABLE view ADD COLUMN is_all INTEGER NOT NULL DEFAULT 0;      -- 1: everything in the archive; both lists are empty
UPDATE export SET request = json_insert(request, '$.files', json('[]'), '$.all', json('false'));

CREATE INDEX archive_file_by_sha256 ON archive_file (sha256);
CREATE INDEX imported_file_by_sha256 ON imported_file (sha256) WHERE name IS NOT NULL;
ALTER TABLE imported_file ADD COLUMN known_as TEXT;                 -- of one in state KNOWN: the name of the very file in the archive
`,
}
