/** Tables of the viewer: views, and problems that occurred while they were browsed. */
export const viewTables = `
CREATE TABLE view (                         -- a selection of jobs or files, viewed as of a moment
  id INTEGER PRIMARY KEY,
  name TEXT,                                -- null: not saved
  jobs TEXT NOT NULL,                       -- JSON list of job ids, ascending
  files TEXT NOT NULL DEFAULT '[]',         -- JSON list of file names, sorted
  is_all INTEGER NOT NULL DEFAULT 0,        -- 1: the whole archive; both lists are empty
  moment TEXT NOT NULL DEFAULT 'newest',    -- newest, oldest, nearest (to at_ms)
  at_ms INTEGER,                            -- null: newest or oldest
  within_ms INTEGER,                        -- largest distance from at_ms; null: any
  is_exact INTEGER NOT NULL DEFAULT 0,      -- 1: only captures of exactly the requested URL
  overlays TEXT NOT NULL DEFAULT '[]',      -- JSON list of patch jobs that are shown over the jobs, ascending
  created_ms INTEGER NOT NULL
);
CREATE UNIQUE INDEX view_name ON view (name) WHERE name IS NOT NULL;

CREATE TABLE view_finding (                 -- a request that could not be answered, or was answered with an archived error
  id INTEGER PRIMARY KEY,
  viewing TEXT NOT NULL,                    -- name of the viewing session; '' is the interface's
  view_id INTEGER NOT NULL REFERENCES view(id),
  kind TEXT NOT NULL CHECK (kind IN ('missing', 'archivedError', 'unreadable')),
  url TEXT NOT NULL,
  referrer TEXT NOT NULL,                   -- '': the browser sent none
  method TEXT NOT NULL,
  initiator TEXT NOT NULL,                  -- page that caused the request; '': unknown
  resource_type TEXT NOT NULL,              -- value of Sec-Fetch-Dest
  status INTEGER,                           -- of an archived error
  file TEXT,                                -- file and offset of the record that was read, or could not be
  offset INTEGER,
  detail TEXT,                              -- why it could not be read
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  UNIQUE (viewing, view_id, kind, url, referrer, method)
);
`
