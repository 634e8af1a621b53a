/** Step 30 of the schema: which history of the archive this database belongs to, and which run wrote which file. A database that is
 *  restored from a copy, or made anew, meets files of a later history in `jobs/` and in the replicas; it must neither take them
 *  for its own nor remove them. */
export const ownershipStep = {
  number: 30,
  sql: `
-- In the names of the working files of a run, and in its metadata file: chosen at random when the run begins, so that two histories
-- of one job number never agree on it.
ALTER TABLE job ADD COLUMN run_id TEXT NOT NULL DEFAULT '';
UPDATE job SET run_id = lower(hex(randomblob(16)));
ALTER TABLE run_metadata ADD COLUMN run_id TEXT NOT NULL DEFAULT '';
UPDATE run_metadata SET run_id = COALESCE(
  (SELECT job.run_id FROM job WHERE job.id = run_metadata.job_id AND job.run = run_metadata.run), lower(hex(randomblob(16))));

CREATE INDEX run_metadata_by_name_of_any_case ON run_metadata (name COLLATE NOCASE);

CREATE TABLE database_state (                 -- one row
  id INTEGER PRIMARY KEY CHECK (id = 1),
  archive_id TEXT NOT NULL,                   -- of the archive: its metadata files name it too, so that it outlives the database
  sequence INTEGER NOT NULL DEFAULT 0,        -- counted up with the files of jobs and of the catalogue; jobs/.sequence follows it
  job_number_min INTEGER NOT NULL DEFAULT 1   -- lower numbers stand in names of files that this database does not know
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

CREATE TABLE unregistered_file (              -- lies in a replica, and the catalogue does not know it
  replica TEXT NOT NULL,
  name TEXT NOT NULL,
  bytes INTEGER,                              -- null where a replica of checksums does not know
  found_ms INTEGER NOT NULL,
  listing INTEGER NOT NULL,                   -- the listing of the replica that saw it last
  PRIMARY KEY (replica, name)
) WITHOUT ROWID;
CREATE INDEX unregistered_file_by_name_of_any_case ON unregistered_file (name COLLATE NOCASE);
CREATE TRIGGER unregistered_file_is_registered AFTER INSERT ON archive_file
  BEGIN DELETE FROM unregistered_file WHERE name = NEW.name COLLATE NOCASE AND name = NEW.name; END;
CREATE TABLE replica_listing (                -- when all names in a replica were last compared with the catalogue
  replica TEXT PRIMARY KEY,
  listing INTEGER NOT NULL,                   -- counted up by each
  listed_ms INTEGER                           -- null: the first is not over
) WITHOUT ROWID;
`,
}
