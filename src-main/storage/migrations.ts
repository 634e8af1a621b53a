/** The schema, as numbered steps that are never changed once released: a new need is a new step. Times are milliseconds
 *  since 1970 UTC and end in `_ms`; a URL's key is the SHA-256 of its canonical form. */

export const migrations: readonly { number: number; sql: string }[] = [
  {
    number: 1,
    sql: `
CREATE TABLE harvest (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('event', 'import')),
  definition TEXT NOT NULL,                 -- JSON, shape HarvestDefinition of the contract
  created_ms INTEGER NOT NULL
);

CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  harvest_id INTEGER NOT NULL REFERENCES harvest(id),
  state TEXT NOT NULL,                      -- jobStates
  stop_reason TEXT,                         -- DOWNLOAD_COMPLETE, OBJECT_LIMIT, SIZE_LIMIT, TIME_LIMIT, DOWNLOAD_UNFINISHED
  error_text TEXT,
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  ended_ms INTEGER,
  running_ms INTEGER NOT NULL DEFAULT 0,    -- time spent ACTIVE before the present stretch
  active_since_ms INTEGER,                  -- start of the present stretch of being ACTIVE
  documents_total INTEGER NOT NULL DEFAULT 0,
  documents_fetched INTEGER NOT NULL DEFAULT 0,
  documents_failed INTEGER NOT NULL DEFAULT 0,
  documents_excluded INTEGER NOT NULL DEFAULT 0,
  documents_duplicate INTEGER NOT NULL DEFAULT 0, -- of the fetched ones: payload seen before in this job
  bytes INTEGER NOT NULL DEFAULT 0          -- of responses, as they crossed the wire
);

CREATE TABLE host (                         -- one origin that a job fetches from
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  origin TEXT NOT NULL,                     -- scheme://host:port
  robots_state TEXT NOT NULL DEFAULT 'UNKNOWN' CHECK (robots_state IN ('UNKNOWN', 'ALLOWED', 'RULES', 'UNREACHABLE')),
  robots_text TEXT,                         -- the rules; for UNREACHABLE the reason (contract/outcomes)
  UNIQUE (job_id, origin)
);

CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  url_key BLOB NOT NULL,                    -- SHA-256 of url
  url TEXT NOT NULL,
  host_id INTEGER NOT NULL REFERENCES host(id),
  state TEXT NOT NULL,                      -- documentStates
  outcome TEXT CHECK (outcome IN ('fetched', 'failed', 'excluded')),
  reason TEXT,                              -- why it failed or was excluded: a code of contract/outcomes
  detail TEXT,                              -- the rule, limit or system message behind the reason
  role TEXT NOT NULL CHECK (role IN ('page', 'requisite', 'robots', 'sitemap')),
  hop_path TEXT NOT NULL,                   -- one letter a hop: L link, E embed, R redirect, P prerequisite, M sitemap
  hops INTEGER NOT NULL,                    -- navigation hops (L and M) from a seed
  via_id INTEGER,                           -- the document that led here; null for a seed
  due_ms INTEGER NOT NULL,                  -- not before
  attempts INTEGER NOT NULL DEFAULT 0,
  status INTEGER,
  media_type TEXT,
  bytes INTEGER,
  payload_digest TEXT,
  fetched_ms INTEGER,
  duration_ms INTEGER,
  file_id INTEGER,                          -- harvest_file that holds the response
  file_offset INTEGER,
  UNIQUE (job_id, url_key)
);
-- The turn: what a host gives next. Robots first, then by distance, then in order of discovery.
CREATE INDEX document_by_turn ON document (host_id, hops, id) WHERE state = 'PENDING';
-- A job's documents in the order in which they were found, for lists.
CREATE INDEX document_by_job ON document (job_id);
CREATE INDEX document_active ON document (job_id) WHERE state = 'ACTIVE';
CREATE INDEX document_by_outcome ON document (job_id, outcome, id);
CREATE INDEX document_by_digest ON document (job_id, payload_digest) WHERE payload_digest IS NOT NULL;

CREATE TABLE harvest_file (                 -- a WARC file of a job before it is in the archive
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  serial INTEGER NOT NULL,
  name TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('OPEN', 'CLOSED', 'STORED')),
  committed_bytes INTEGER NOT NULL,         -- what counts: anything behind it is a torn tail
  records INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE import_file (                  -- what an import job takes in, as it was asked for
  job_id INTEGER NOT NULL REFERENCES job(id),
  path TEXT NOT NULL,
  PRIMARY KEY (job_id, path)
) WITHOUT ROWID;

CREATE TABLE job_event (                    -- the job's log, as people read it
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  at_ms INTEGER NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'error')),
  text TEXT NOT NULL
);
CREATE INDEX job_event_by_job ON job_event (job_id, id);

CREATE TABLE archive_file (                 -- the catalogue
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,                     -- hex
  job_id INTEGER,
  kind TEXT NOT NULL CHECK (kind IN ('content', 'metadata')),
  registered_ms INTEGER NOT NULL,
  stored_ms INTEGER                         -- when every replica had completed
);
CREATE INDEX archive_file_by_job ON archive_file (job_id);

CREATE TABLE replica_file (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES archive_file(id),
  replica TEXT NOT NULL,
  upload_state TEXT NOT NULL,               -- uploadStates
  upload_attempts INTEGER NOT NULL DEFAULT 0,
  upload_problem TEXT,
  preservation_state TEXT NOT NULL DEFAULT 'UNCHECKED', -- preservationStates
  checked_ms INTEGER,                       -- last missing-file or checksum check
  verified_ms INTEGER,                      -- last checksum comparison
  found_sha256 TEXT,
  found_bytes INTEGER,
  UNIQUE (file_id, replica)
);
CREATE INDEX replica_file_by_replica ON replica_file (replica, file_id);

CREATE TABLE preservation_check (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('missing', 'checksums')),
  replicas TEXT NOT NULL,                   -- JSON list of replica names
  files_pattern TEXT,                       -- a regular expression over file names, null for all
  sample INTEGER,                           -- how many files, chosen by chance, null for all
  state TEXT NOT NULL,                      -- checkStates
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  files_total INTEGER NOT NULL,
  files_done INTEGER NOT NULL DEFAULT 0,
  bytes_total INTEGER NOT NULL,             -- to be read: 0 for a check that only looks whether files are there
  bytes_done INTEGER NOT NULL DEFAULT 0,
  findings INTEGER NOT NULL DEFAULT 0,
  problem TEXT
);
CREATE TABLE preservation_item (            -- one (file, replica) a check has to look at; done_ms makes it resumable
  id INTEGER PRIMARY KEY,
  check_id INTEGER NOT NULL REFERENCES preservation_check(id),
  replica_file_id INTEGER REFERENCES replica_file(id),
  replica TEXT NOT NULL,
  name TEXT NOT NULL,
  done_ms INTEGER,
  finding TEXT CHECK (finding IN ('missing', 'wrongLength', 'wrongChecksum', 'unreadable', 'surplus')),
  expected TEXT,
  found TEXT
);
CREATE INDEX preservation_item_by_check ON preservation_item (check_id, done_ms, id);
CREATE INDEX preservation_item_finding ON preservation_item (replica_file_id, id) WHERE finding IS NOT NULL;

CREATE TABLE audit (                        -- who did what to ground truth
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL                      -- JSON
);

CREATE TABLE view (                         -- a chosen set of jobs, looked at as of a moment
  id INTEGER PRIMARY KEY,
  jobs TEXT NOT NULL,                       -- JSON list of job ids, ascending
  at_ms INTEGER,                            -- null: newest
  created_ms INTEGER NOT NULL
);
CREATE TABLE miss (                         -- a URL that a viewing could not answer
  id INTEGER PRIMARY KEY,
  view_id INTEGER NOT NULL REFERENCES view(id),
  url TEXT NOT NULL,
  referrer TEXT NOT NULL,                   -- '' when the browser sent none
  method TEXT NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  UNIQUE (view_id, url, referrer, method)
);
`,
  },
  {
    number: 2,
    sql: `
CREATE TABLE imported_file (                -- a file that an import was given, or found in a folder or a package
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  path TEXT NOT NULL,                       -- of the file on the disk
  entry TEXT NOT NULL,                      -- '' for that file itself; else its place in the package, '!' before each further one
  kind TEXT NOT NULL,                       -- what its bytes are, in the words of formats/recognise
  sha256 TEXT,                              -- of its bytes where it came from, hex; once they have been read
  name TEXT UNIQUE,                         -- what the archive is to call it, once that is decided
  deed TEXT CHECK (deed IN ('kept', 'recompressed', 'converted')), -- what was done to its bytes on the way, with the name
  state TEXT NOT NULL,                      -- importedFileStates
  bytes_total INTEGER NOT NULL,
  bytes_done INTEGER NOT NULL DEFAULT 0,
  records INTEGER NOT NULL DEFAULT 0,
  captures INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0,
  warnings INTEGER NOT NULL DEFAULT 0,
  notes INTEGER NOT NULL DEFAULT 0,
  problem TEXT,                             -- why it was refused, or what was done to it
  UNIQUE (job_id, path, entry)
);
CREATE INDEX imported_file_by_state ON imported_file (job_id, state, id);

CREATE TABLE imported_finding (             -- the first findings of each rule in each file
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  rule TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
  text TEXT NOT NULL,
  record INTEGER,
  offset INTEGER
);
CREATE INDEX imported_finding_by_file ON imported_finding (file_id, id);

CREATE TABLE imported_finding_count (       -- and how many there are in truth
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  rule TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
  count INTEGER NOT NULL,
  PRIMARY KEY (file_id, rule)
) WITHOUT ROWID;

CREATE TABLE imported_document (            -- what a package says about itself: it becomes a record of the job's metadata
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  entry TEXT NOT NULL,                      -- its place in the package
  content_type TEXT NOT NULL,
  UNIQUE (file_id, entry)
);
`,
  },
  {
    number: 3,
    sql: `
CREATE TABLE export (                       -- a selection written out of the archive
  id INTEGER PRIMARY KEY,
  request TEXT NOT NULL,                    -- JSON, shape ExportRequest of the contract
  state TEXT NOT NULL,                      -- exportStates
  records INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  files_total INTEGER NOT NULL,
  files_done INTEGER NOT NULL DEFAULT 0,
  bytes_total INTEGER NOT NULL,             -- to be read, the new file included
  bytes_done INTEGER NOT NULL DEFAULT 0,
  is_complete INTEGER NOT NULL DEFAULT 0,   -- nothing of the selection is lacking
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  problem TEXT,
  code TEXT,                                -- of contract/faults
  remarks TEXT NOT NULL DEFAULT '[]'        -- JSON list of sentences
);
`,
  },
  {
    number: 4,
    sql: `
ALTER TABLE imported_file ADD COLUMN code TEXT; -- of a refused one, what contract/faults calls its problem
`,
  },
]
