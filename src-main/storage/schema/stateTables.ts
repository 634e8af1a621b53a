/** Tables of the whole database: the history of the harvester's activities, the latest recorded time, and the identity of the archive. */
export const stateTables = `
-- History: the table with the most rows. They are only added, and removed by age. Kinds are numbers (contract/history) and results
-- are shared, but the identifier is stored in each row: a report over a million rows would otherwise look each one up, and it
-- remains when the document is deleted.
CREATE TABLE activity_result (              -- HTTP statuses and reasons: a few hundred
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);
CREATE TABLE activity (
  id INTEGER PRIMARY KEY,                   -- in the order of recording
  kind INTEGER NOT NULL,
  job_id INTEGER NOT NULL,                  -- no reference: the history of a deleted job remains
  start_ms INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  result_id INTEGER NOT NULL REFERENCES activity_result(id),
  bytes INTEGER,                            -- as received over the network
  identifier TEXT NOT NULL,                 -- URL of a document; 'job 3'
  description TEXT
);
CREATE INDEX activity_by_start ON activity (start_ms);
CREATE INDEX activity_by_job ON activity (job_id, start_ms);
CREATE TRIGGER activity_is_added_without_negative_duration BEFORE INSERT ON activity WHEN NEW.duration_ms < 0
  BEGIN SELECT RAISE(ABORT, 'activity.duration_ms must not be negative'); END;
CREATE TRIGGER activity_keeps_no_negative_duration BEFORE UPDATE OF duration_ms ON activity WHEN NEW.duration_ms < 0
  BEGIN SELECT RAISE(ABORT, 'activity.duration_ms must not be negative'); END;

-- Due times are by the system clock. When the clock was set back while Loupe was not running, this row says by how much.
CREATE TABLE clock (                        -- one row
  latest_ms INTEGER NOT NULL                -- latest time in job_event since the clock was last corrected
);
INSERT INTO clock (latest_ms) VALUES (0);
CREATE TRIGGER clock_of_event AFTER INSERT ON job_event
  BEGIN UPDATE clock SET latest_ms = NEW.at_ms WHERE latest_ms < NEW.at_ms; END;

-- A database restored from a backup, or made by recovery, meets files of a later history in jobs/ and in the replicas. These
-- columns and job.run_id show which files are its own.
CREATE TABLE database_state (               -- one row
  id INTEGER PRIMARY KEY CHECK (id = 1),
  archive_id TEXT NOT NULL,                 -- also in the metadata files, so that it outlives the database
  sequence INTEGER NOT NULL DEFAULT 0,      -- incremented with the files of jobs and of the catalogue; jobs/.sequence follows it
  job_number_min INTEGER NOT NULL DEFAULT 1 -- lower numbers are in names of files that this database does not know
);
INSERT INTO database_state (id, archive_id) VALUES (1, lower(hex(randomblob(16))));
CREATE TRIGGER sequence_of_job AFTER INSERT ON job
  BEGIN UPDATE database_state SET sequence = sequence + 1; END;
CREATE TRIGGER sequence_of_harvest_file AFTER INSERT ON harvest_file
  BEGIN UPDATE database_state SET sequence = sequence + 1; END;
CREATE TRIGGER sequence_of_records AFTER UPDATE OF state, committed_bytes ON harvest_file
  BEGIN UPDATE database_state SET sequence = sequence + 1; END;
CREATE TRIGGER sequence_of_archive_file AFTER INSERT ON archive_file
  BEGIN UPDATE database_state SET sequence = sequence + 1; END;
`
