/** Tables of harvests and their jobs: definitions, runs, working files, logs, and changes by the user while a job runs. */
export const jobTables = `
CREATE TABLE harvest (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('event', 'import')),
  definition TEXT NOT NULL,                 -- JSON, shape HarvestDefinition of the contract
  created_ms INTEGER NOT NULL,
  -- Copied out of the definition, so that the jobs of a connector are found without parsing every definition.
  repository TEXT GENERATED ALWAYS AS
    (COALESCE(json_extract(definition, '$.connectors.repository.connector'), 'web')) VIRTUAL,
  output TEXT GENERATED ALWAYS AS (COALESCE(json_extract(definition, '$.connectors.output'), 'archive')) VIRTUAL
);
CREATE INDEX harvest_by_repository ON harvest (repository, kind);
CREATE INDEX harvest_by_output ON harvest (output, kind);

CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  harvest_id INTEGER NOT NULL REFERENCES harvest(id),
  state TEXT NOT NULL,                      -- jobStates
  created_ms INTEGER NOT NULL,
  priority INTEGER NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10), -- 1 is the highest

  -- Schedule
  schedule TEXT,                            -- JSON, as in the contract; null: the job is only started by hand
  window_begin_ms INTEGER,                  -- begin of the window that last started the job; it starts no second run
  window_end_ms INTEGER,                    -- end of the window of this run; null: the run has no window
  last_assessed_ms INTEGER,                 -- schedules have been evaluated up to this time

  -- Definition and seeds
  definition_version INTEGER NOT NULL DEFAULT 0, -- incremented by each change; a run that sees a new number reloads it
  seeded_version INTEGER NOT NULL DEFAULT 0, -- definition whose seeds are queued; seeds are pending while it differs
  seeding_version TEXT,                     -- null: the next seeding starts from the beginning
  reseed_ms INTEGER,                        -- when a continuous job reads its seeds again; null: never
  live_version INTEGER NOT NULL DEFAULT 0,  -- incremented by each change that people make while the job runs
  is_assessed INTEGER NOT NULL DEFAULT 1,   -- 0: whether the job's connectors are installed has to be checked

  -- The current or last run
  run INTEGER NOT NULL DEFAULT 1,           -- 1 is the first start
  run_id TEXT NOT NULL DEFAULT '',          -- random, in the names of the run's working files: two databases never agree on it
  started_ms INTEGER,
  ended_ms INTEGER,
  running_ms INTEGER NOT NULL DEFAULT 0 CHECK (running_ms >= 0), -- by the monotonic clock, without pauses
  segments INTEGER NOT NULL DEFAULT 0 CHECK (segments >= 0), -- starts, resumptions and recoveries of the run
  stop_reason TEXT,                         -- DOWNLOAD_COMPLETE, OBJECT_LIMIT, SIZE_LIMIT, TIME_LIMIT, DOWNLOAD_UNFINISHED
  error_text TEXT,
  error_code TEXT,                          -- code of contract/calls/faults for error_text
  failure_text TEXT,                        -- why the run was given up
  fail_ms INTEGER,                          -- when the current series of failures is given up
  fail_count INTEGER,                       -- tries that are left in that series
  log_before_id INTEGER NOT NULL DEFAULT 0, -- last job_event before this run
  is_described INTEGER NOT NULL DEFAULT 1,  -- 0: the run was stopped while files were stored; its metadata file may be missing

  documents_total INTEGER NOT NULL DEFAULT 0,
  documents_queued INTEGER NOT NULL DEFAULT 0 CHECK (documents_queued >= 0), -- kept by triggers of document
  documents_fetched INTEGER NOT NULL DEFAULT 0,
  documents_failed INTEGER NOT NULL DEFAULT 0,
  documents_excluded INTEGER NOT NULL DEFAULT 0,
  documents_duplicate INTEGER NOT NULL DEFAULT 0, -- fetched ones whose payload this job had already seen
  bytes INTEGER NOT NULL DEFAULT 0          -- of responses, as received over the network
);
-- Polled every few seconds: of a thousand idle jobs, only those with something to do are read.
CREATE INDEX job_by_schedule ON job (id) WHERE schedule IS NOT NULL;
CREATE INDEX job_by_window_end ON job (window_end_ms) WHERE window_end_ms IS NOT NULL;
CREATE INDEX job_to_assess ON job (id) WHERE is_assessed = 0;
CREATE INDEX job_to_describe ON job (id) WHERE is_described = 0;

CREATE TABLE run_definition (               -- every definition of a job, with the run it applied to; the newest is the harvest's
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,                     -- first run to which it applied
  from_ms INTEGER,                          -- when it took effect during that run; null: at the start
  definition TEXT NOT NULL
);
CREATE INDEX run_definition_by_job ON run_definition (job_id, id);

CREATE TABLE job_run (                      -- finished runs, copied from the job's row when the next run begins
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,                         -- null: it was ended by the start of the next run
  running_ms INTEGER NOT NULL CHECK (running_ms >= 0),
  stop_reason TEXT,
  error_text TEXT,
  fetched INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  excluded INTEGER NOT NULL,
  truncated INTEGER,                        -- null: unknown; the run was recovered from a metadata file without this number
  bytes INTEGER NOT NULL,
  PRIMARY KEY (job_id, run)
) WITHOUT ROWID;
-- BEFORE the update: the job's counters are reset and its documents prepared for the next run in the same transaction.
CREATE TRIGGER job_run_is_kept BEFORE UPDATE OF run ON job WHEN NEW.run > OLD.run AND OLD.started_ms IS NOT NULL BEGIN
  INSERT INTO job_run (job_id, run, started_ms, ended_ms, running_ms, stop_reason, error_text, fetched, failed, excluded, truncated, bytes)
  VALUES (OLD.id, OLD.run, OLD.started_ms, OLD.ended_ms, OLD.running_ms, OLD.stop_reason, OLD.error_text, OLD.documents_fetched,
          OLD.documents_failed, OLD.documents_excluded,
          (SELECT COUNT(*) FROM document WHERE job_id = OLD.id AND truncated IS NOT NULL AND outcome = 'fetched'), OLD.bytes);
END;

CREATE TABLE job_event (                    -- the job's log
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  at_ms INTEGER NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'error')),
  message TEXT NOT NULL                     -- JSON (contract/words/message.ts)
);
CREATE INDEX job_event_by_job ON job_event (job_id, id);

CREATE TABLE deleted_job (                  -- numbers that no new job may get: they are part of the names of archived files
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  deleted_ms INTEGER NOT NULL
);

CREATE TABLE harvest_file (                 -- a WARC file of a job before it is in the archive
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  serial INTEGER NOT NULL,
  name TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('OPEN', 'CLOSED', 'STORED')),
  committed_bytes INTEGER NOT NULL,         -- bytes that count; anything after them is a torn tail
  records INTEGER NOT NULL DEFAULT 0,
  metadata_name TEXT,                       -- metadata file that indexes it; null: none yet
  sha256 TEXT                               -- of the bytes when the process that began the file closed it; else null
);
CREATE INDEX harvest_file_by_name_of_any_case ON harvest_file (name COLLATE NOCASE);

CREATE TABLE run_metadata (                 -- name of a run's metadata file, reserved before the file is written
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  name TEXT NOT NULL,
  run_id TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (job_id, run)
) WITHOUT ROWID;
CREATE INDEX run_metadata_by_name_of_any_case ON run_metadata (name COLLATE NOCASE);

CREATE TABLE reject_rule (                  -- URLs that match are not fetched
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  pattern TEXT NOT NULL,
  added_ms INTEGER NOT NULL,
  UNIQUE (job_id, pattern)
);

CREATE TABLE domain_budget (                -- limits of one run per registered domain
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  objects_max INTEGER,                      -- null: unlimited
  bytes_max INTEGER,                        -- null: unlimited
  PRIMARY KEY (job_id, domain)
) WITHOUT ROWID;

CREATE TABLE connector (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('repository', 'output')),
  version INTEGER NOT NULL,                 -- newest version that this archive was used with
  state TEXT NOT NULL                       -- connectorStates
);
INSERT INTO connector (name, kind, version, state) VALUES
  ('web', 'repository', 1, 'INSTALLED'), ('sitemap', 'repository', 1, 'INSTALLED'),
  ('feed', 'repository', 1, 'INSTALLED'), ('folder', 'repository', 1, 'INSTALLED'),
  ('module', 'repository', 1, 'INSTALLED'),
  ('archive', 'output', 1, 'INSTALLED'), ('null', 'output', 1, 'INSTALLED');

-- Every change that may decide whether a job has its connectors marks the job, so that no statement can forget to.
CREATE TRIGGER job_is_new AFTER INSERT ON job BEGIN
  UPDATE job SET is_assessed = 0 WHERE id = NEW.id;
END;
CREATE TRIGGER harvest_is_changed AFTER UPDATE OF definition ON harvest BEGIN
  UPDATE job SET is_assessed = 0 WHERE harvest_id = NEW.id;
END;
CREATE TRIGGER connector_is_moved AFTER UPDATE OF state ON connector BEGIN
  UPDATE job SET is_assessed = 0 WHERE harvest_id IN (SELECT id FROM harvest WHERE repository = NEW.name AND kind = 'event');
  UPDATE job SET is_assessed = 0 WHERE harvest_id IN (SELECT id FROM harvest WHERE output = NEW.name AND kind = 'event');
END;

CREATE TABLE credential (                   -- where a password is kept; the password itself is in no table
  name TEXT PRIMARY KEY,
  store TEXT NOT NULL,                      -- kind of key store
  entry TEXT NOT NULL UNIQUE,               -- name of the entry in that store
  set_ms INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE cookie (                       -- sessions of a running job; losing them costs a login
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  is_host_only INTEGER NOT NULL,
  is_secure INTEGER NOT NULL,
  expires_ms INTEGER,                       -- null: at the end of the session, which is the run
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (job_id, domain, path, name)
) WITHOUT ROWID;
-- Sessions are not needed after the run, however it ended, and must not stay in the database.
CREATE TRIGGER cookie_ends_with_its_run AFTER UPDATE OF state ON job
WHEN NEW.state = 'INACTIVE' AND OLD.state <> 'INACTIVE' BEGIN
  DELETE FROM cookie WHERE job_id = NEW.id;
END;

CREATE TABLE deleted_secret (               -- one row while the journal (-wal) may still hold bytes of deleted cookies
  id INTEGER PRIMARY KEY CHECK (id = 1),
  times INTEGER NOT NULL                    -- incremented by each deletion: shows whether more came while the journal was emptied
);
CREATE TRIGGER cookie_is_deleted AFTER DELETE ON cookie BEGIN
  INSERT INTO deleted_secret (id, times) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET times = times + 1;
END;
`
