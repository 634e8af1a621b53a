/** Tables of the URLs that are missing from jobs, of the rules by which they are ignored, and of patch jobs. */
export const missTables = `
CREATE TABLE miss_rule (                    -- ignores URLs that are missing from a job
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  pattern TEXT NOT NULL,                    -- regular expression (src-main/patterns)
  created_ms INTEGER NOT NULL,
  UNIQUE (job_id, pattern)
);

CREATE TABLE miss (                         -- a URL that is missing from a job
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  url_key BLOB NOT NULL,                    -- as in document
  url TEXT NOT NULL,
  host TEXT NOT NULL,
  path TEXT NOT NULL,                       -- folder and extension, such as /img/*.png
  resource_type TEXT NOT NULL,              -- value of Sec-Fetch-Dest; '': unknown
  source TEXT NOT NULL CHECK (source IN ('browsing', 'harvest', 'user')), -- what noticed it first
  state TEXT NOT NULL,                      -- missStates
  reason TEXT NOT NULL,                     -- missReasons of contract/services/misses, or a reason of contract/states/outcomes
  note TEXT NOT NULL DEFAULT '',
  rule_id INTEGER REFERENCES miss_rule(id), -- the rule that ignores it
  patch_job INTEGER,                        -- number of the last job that was to capture it, which may have been deleted
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  times INTEGER NOT NULL,                   -- requests of browsers, or 1 for a failure of the harvest
  UNIQUE (job_id, url_key)
);
CREATE INDEX miss_by_state ON miss (job_id, state);
CREATE INDEX miss_by_rule ON miss (rule_id) WHERE rule_id IS NOT NULL;

CREATE TABLE miss_page (                    -- a page that wanted the URL
  miss_id INTEGER NOT NULL REFERENCES miss(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  PRIMARY KEY (miss_id, url)
) WITHOUT ROWID;
CREATE INDEX miss_page_by_url ON miss_page (url);

CREATE TABLE miss_reading (                 -- a run whose failures are in the table miss
  job_id INTEGER PRIMARY KEY REFERENCES job(id) ON DELETE CASCADE,
  ended_ms INTEGER NOT NULL
);

CREATE TABLE patch_job (                    -- a job that captures URLs that are missing from another job
  job_id INTEGER PRIMARY KEY REFERENCES job(id) ON DELETE CASCADE,
  patches INTEGER NOT NULL,                 -- number of the other job, which may have been deleted
  misses INTEGER NOT NULL,                  -- URLs when it was made
  created_ms INTEGER NOT NULL
);
CREATE INDEX patch_job_by_patched ON patch_job (patches);
`
