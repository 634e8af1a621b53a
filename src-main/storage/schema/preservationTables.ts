/** Tables of checks of the archive, of exports and batch jobs that run over it, and of uploads into it. */
export const preservationTables = `
CREATE TABLE preservation_check (           -- a check of copies; its kind is that of the task
  task_id INTEGER PRIMARY KEY REFERENCES task(id),
  replicas TEXT NOT NULL,                   -- JSON list of replica names
  files_pattern TEXT,                       -- regular expression over file names; null: all files
  sample INTEGER,                           -- number of files, chosen at random; null: all files
  list TEXT NOT NULL DEFAULT 'growing' CHECK (list IN ('growing', 'whole', 'cleared')) -- the list of its items is written and removed in steps
);
CREATE TABLE preservation_item (            -- a file in a replica that a check has to look at; done_ms makes the check resumable
  id INTEGER PRIMARY KEY,
  check_id INTEGER NOT NULL REFERENCES preservation_check(task_id),
  replica_file_id INTEGER REFERENCES replica_file(id), -- null: not stored there when the check began, or not in the catalogue
  replica TEXT NOT NULL,
  name TEXT NOT NULL,
  done_ms INTEGER,
  finding TEXT CHECK (finding IN ('missing', 'wrongLength', 'wrongChecksum', 'unreadable', 'surplus', 'notStored')),
  expected TEXT,
  found TEXT
);
CREATE INDEX preservation_item_by_check ON preservation_item (check_id, done_ms, id);
CREATE INDEX preservation_item_by_id ON preservation_item (check_id, id);
CREATE INDEX preservation_item_finding ON preservation_item (replica_file_id, id) WHERE finding IS NOT NULL;

CREATE TABLE spot (                         -- one file of a spot check, written when all replicas have answered
  id INTEGER PRIMARY KEY,
  task_id INTEGER NOT NULL REFERENCES task(id),
  file_id INTEGER NOT NULL REFERENCES archive_file(id),
  at_ms INTEGER NOT NULL,
  salt TEXT NOT NULL,                       -- hex
  verdict TEXT NOT NULL,                    -- a key of archive/check/spotVerdict
  answers TEXT NOT NULL                     -- JSON list: replica, and its answer or why there is none
);
CREATE INDEX spot_by_check ON spot (task_id, id);
CREATE INDEX spot_by_file ON spot (file_id, id);

CREATE TABLE replica_event (                -- result of a check, a spot check or repairs for one replica, in the order of their start
  id INTEGER PRIMARY KEY,
  replica TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('missing', 'checksums', 'spot', 'repair')),
  number INTEGER NOT NULL,                  -- of the check or spot check; for repairs, of the first one's entry in the audit log
  begun_by TEXT NOT NULL CHECK (begun_by IN ('user', 'schedule', 'recovery')),
  at_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  files_total INTEGER NOT NULL,
  files INTEGER NOT NULL DEFAULT 0,
  findings INTEGER NOT NULL DEFAULT 0,
  UNIQUE (replica, kind, number)
);
CREATE INDEX replica_event_by_replica ON replica_event (replica, id);

CREATE TABLE export (                       -- a selection copied out of the archive
  task_id INTEGER PRIMARY KEY REFERENCES task(id),
  request TEXT NOT NULL,                    -- JSON, shape ExportRequest of the contract
  remarks TEXT NOT NULL DEFAULT '[]'        -- JSON: messages
);

CREATE TABLE batch_run (                    -- a batch job over selected files of the archive
  task_id INTEGER PRIMARY KEY REFERENCES task(id),
  name TEXT NOT NULL,                       -- first part of the names of its two output files
  request TEXT NOT NULL,                    -- JSON, shape BatchRequest of the contract
  output TEXT NOT NULL,                     -- path
  errors TEXT NOT NULL                      -- path
);

CREATE TABLE upload (                       -- files from elsewhere, stored in every replica
  task_id INTEGER PRIMARY KEY REFERENCES task(id) ON DELETE CASCADE,
  unread TEXT NOT NULL                      -- JSON list: paths that could not be read, each with a message
);
CREATE TABLE upload_file (                  -- how storing one file of an upload ended; its copies are in replica_file
  task_id INTEGER NOT NULL REFERENCES upload(task_id) ON DELETE CASCADE,
  number INTEGER NOT NULL,                  -- 0, 1, 2 …: the order in which the files are stored
  path TEXT NOT NULL,                       -- absolute
  bytes INTEGER NOT NULL,                   -- when the file was found
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'stored', 'failed', 'refused')),
  problem TEXT,                             -- JSON, a message; null: stored or waiting
  code TEXT,                                -- code of contract/calls/faults for the problem
  PRIMARY KEY (task_id, number)
) WITHOUT ROWID;
`
