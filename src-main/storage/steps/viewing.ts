/** Step 27 of the schema: views have an end and may have a name, and beside what is missing stands what the archive answered
 *  wrongly. */
export const viewingStep = {
  number: 27,
  sql: `
ALTER TABLE view ADD COLUMN moment TEXT NOT NULL DEFAULT 'newest';  -- newest, oldest, nearest (to at_ms)
UPDATE view SET moment = 'nearest' WHERE at_ms IS NOT NULL;
ALTER TABLE view ADD COLUMN within_ms INTEGER;                      -- null: however far from the moment
ALTER TABLE view ADD COLUMN name TEXT;                              -- null: nobody keeps it
CREATE UNIQUE INDEX view_name ON view (name) WHERE name IS NOT NULL;

CREATE TABLE view_finding (
  id INTEGER PRIMARY KEY,
  view_id INTEGER NOT NULL REFERENCES view(id),
  kind TEXT NOT NULL CHECK (kind IN ('missing', 'archivedError', 'unreadable')),
  url TEXT NOT NULL,
  referrer TEXT NOT NULL,                   -- '' when the browser sent none
  method TEXT NOT NULL,
  initiator TEXT NOT NULL,                  -- the page on behalf of which it was asked; '' when nobody can tell
  resource_type TEXT NOT NULL,              -- in the words of Sec-Fetch-Dest
  status INTEGER,                           -- of an archived error
  file TEXT,                                -- where the record lies that answered, or could not
  offset INTEGER,
  detail TEXT,                              -- why it could not be read
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  UNIQUE (view_id, kind, url, referrer, method)
);
INSERT INTO view_finding (view_id, kind, url, referrer, method, initiator, resource_type, first_ms, last_ms, times)
  SELECT view_id, 'missing', url, referrer, method, '', '', first_ms, last_ms, times FROM miss ORDER BY id;
DROP TABLE miss;
`,
}
