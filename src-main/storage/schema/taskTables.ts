/** The table of tasks. What only one kind of task has is in a table of that kind, which refers to this one. */
export const taskTables = `
CREATE TABLE task (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,                       -- a key of contract/shapes/taskKinds
  subject TEXT NOT NULL,                    -- what it works on: JSON, a message of contract/words
  state TEXT NOT NULL,                      -- taskStates
  stage TEXT,                               -- a key of taskStages; null: its kind has none
  started_by TEXT NOT NULL CHECK (started_by IN ('user', 'schedule', 'recovery')),
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,                         -- null: active or paused
  running_ms INTEGER NOT NULL DEFAULT 0 CHECK (running_ms >= 0), -- by the monotonic clock, without pauses
  files_total INTEGER NOT NULL DEFAULT 0,
  files_done INTEGER NOT NULL DEFAULT 0,
  bytes_total INTEGER NOT NULL DEFAULT 0,
  bytes_done INTEGER NOT NULL DEFAULT 0,
  findings INTEGER NOT NULL DEFAULT 0,
  figures TEXT NOT NULL DEFAULT '{}',       -- JSON: further numbers of its kind, by name
  problem TEXT,                             -- JSON, a message
  code TEXT                                 -- code of contract/calls/faults for the problem
);
CREATE INDEX task_by_kind ON task (kind, id);
CREATE INDEX task_not_ended ON task (kind, id) WHERE ended_ms IS NULL;
`
