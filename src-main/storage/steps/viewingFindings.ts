/** Step 28 of the schema: what was missing and what was wrong belongs to who looked, too: two may look at one view. */
export const viewingFindingsStep = {
  number: 28,
  sql: `
CREATE TABLE finding_of_viewing (
  id INTEGER PRIMARY KEY,
  viewing TEXT NOT NULL,                    -- the name of who looked; '' is the interface's
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
  UNIQUE (viewing, view_id, kind, url, referrer, method)
);
INSERT INTO finding_of_viewing (id, viewing, view_id, kind, url, referrer, method, initiator, resource_type, status, file, offset,
                                detail, first_ms, last_ms, times)
  SELECT id, '', view_id, kind, url, referrer, method, initiator, resource_type, status, file, offset, detail, first_ms, last_ms, times
  FROM view_finding ORDER BY id;
DROP TABLE view_finding;
ALTER TABLE finding_of_viewing RENAME TO view_finding;
`,
}
