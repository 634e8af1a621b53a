/** Step 16 of the schema: what is known of a document from the last time, and what left a list. */
export const recrawlStep = {
  number: 16,
  sql: `
CREATE TABLE capture (                        -- what the archive holds of a document, and how often it was another
  document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE,
  record_id TEXT NOT NULL,                    -- of the response that holds the payload, without urn:uuid:
  captured_ms INTEGER NOT NULL,               -- its WARC-Date
  status INTEGER NOT NULL,
  payload_digest TEXT NOT NULL,
  etag TEXT,                                  -- as the server spells them
  last_modified TEXT,
  file_id INTEGER NOT NULL,                   -- the harvest_file of the response, and where in it
  file_offset INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,                  -- when it was captured for the first time
  looked_ms INTEGER NOT NULL,                 -- when the server was asked last
  change_count INTEGER NOT NULL               -- how often it was another than before; the first time is one
);

-- The last line of the job's log before this run.
ALTER TABLE job ADD COLUMN log_before_id INTEGER NOT NULL DEFAULT 0;
-- Why its run was given up.
ALTER TABLE job ADD COLUMN failure_text TEXT;

-- How the answer of this run stands to the last one.
ALTER TABLE document ADD COLUMN comparison TEXT CHECK (comparison IN ('new', 'unchanged', 'changed', 'gone'));

CREATE TABLE removed_document (               -- what left the list of a job that stays: the account of each run
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  why TEXT NOT NULL CHECK (why IN ('answered', 'notFound', 'expired')),
  removed_ms INTEGER NOT NULL,
  url TEXT NOT NULL,
  via TEXT,
  hop_path TEXT NOT NULL,
  status INTEGER,                             -- of this run, where it was asked in it
  media_type TEXT,
  bytes INTEGER,
  payload_digest TEXT,
  fetched_ms INTEGER,
  duration_ms INTEGER
);
CREATE INDEX removed_document_by_run ON removed_document (job_id, run, id);

CREATE TABLE run_metadata (                   -- what the metadata file of a run is called, from before it is written
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (job_id, run)
) WITHOUT ROWID;
INSERT INTO run_metadata (job_id, run, name)
SELECT job_id, 1, MIN(name) FROM archive_file WHERE kind = 'metadata' AND job_id IN (SELECT id FROM job)
  AND name GLOB job_id || '-metadata-*.warc' GROUP BY job_id;

CREATE TABLE deleted_job (                    -- their numbers are in the names of archived files: no other job may have them
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  deleted_ms INTEGER NOT NULL
);

-- What a run has not found again; what a deletion has still to visit. Never of more than a few jobs at a time.
CREATE INDEX document_not_found ON document (job_id, due_ms) WHERE state = 'PURGATORY';
CREATE INDEX document_gone ON document (job_id, due_ms) WHERE state = 'COMPLETE' AND comparison = 'gone';
CREATE INDEX document_to_delete ON document (job_id, due_ms) WHERE state = 'ELIGIBLEFORDELETE';
CREATE INDEX document_leaving ON document (job_id) WHERE state = 'BEINGCLEANED';
CREATE INDEX document_to_expire ON document (due_ms) WHERE state = 'PENDINGPURGATORY' AND check_action = 'remove';
`,
}
