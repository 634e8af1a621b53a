/** Table of the quality files that are being written or stored. */
export const qualityFileTables = `
CREATE TABLE quality_file (                 -- a file of records about a job that is not in every replica yet; its name is taken
  name TEXT PRIMARY KEY COLLATE NOCASE,
  job_id INTEGER NOT NULL                   -- no reference: the file stays when its job is deleted
) WITHOUT ROWID;
`
