/** Table of the quality files that are being written or stored. */
export const qualityFileTables = `
CREATE TABLE quality_file (                 -- a file of records about a job that is not in every replica yet; its name is taken
  name TEXT PRIMARY KEY COLLATE NOCASE,
  job_id INTEGER NOT NULL                   -- no reference: the file stays when its job is deleted
) WITHOUT ROWID;

CREATE TABLE quality_reading (              -- a job whose quality files have been read
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,                       -- of the records that were read: RecordReader of quality/records
  ended_ms INTEGER NOT NULL,                -- end of the run that was read
  is_waiting INTEGER NOT NULL,              -- 1: a record is about a job that is not here yet, or a file could not be read
  PRIMARY KEY (job_id, kind)
) WITHOUT ROWID;
`
