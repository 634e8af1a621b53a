/** Tables of one row about the database as a whole: the latest recorded time, and the identity of the archive. */
export const databaseStateTables = `
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
  job_number_min INTEGER NOT NULL DEFAULT 1, -- lower numbers are in names of files that this database does not know
  engine_id TEXT                            -- the crawl engine that works on the archive, or did last
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
