/** Tables of deduplication across jobs: which indexes runs look documents up in, and what their revisits refer to. */
export const deduplicationTables = `
CREATE TABLE index_request (                -- the deduplication index of the last run of a job; asked for by the harvester, answered by the indexes
  job_id INTEGER PRIMARY KEY REFERENCES job(id) ON DELETE CASCADE,
  jobs TEXT NOT NULL,                       -- JSON: the jobs whose captures are looked up, ascending
  excluded_types TEXT NOT NULL,             -- JSON
  asked INTEGER NOT NULL DEFAULT 1,         -- incremented by each request
  answered INTEGER NOT NULL DEFAULT 0,      -- the request that the following columns answer
  path TEXT,                                -- of the index; null: there is none
  jobs_missing TEXT,                        -- JSON: jobs without files in the archive
  files_missing INTEGER,                    -- files that could not be read
  problem TEXT                              -- JSON, a message: why there is no index
);
CREATE INDEX index_request_open ON index_request (job_id) WHERE answered < asked;
-- Files that are not in the archive yet: few, and looked up for every job that may be continued.
CREATE INDEX harvest_file_not_stored ON harvest_file (job_id) WHERE state <> 'STORED';

CREATE TABLE original_elsewhere (           -- the capture of another job that the last revisit of a document refers to
  document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE,
  revisit TEXT NOT NULL CHECK (revisit IN ('digest', 'notModified')),
  url TEXT NOT NULL,
  captured_ms INTEGER NOT NULL,             -- WARC-Date of its record
  file_name TEXT NOT NULL,                  -- in the archive
  file_offset INTEGER NOT NULL
);
`
