/** Tables of imports: the files an import was given, and what was found in them. */
import { importedFileStates } from '../../contract/states/importedFileStates.ts'
import { isFinal } from '../../contract/states/stateTable.ts'
import { stateIn } from './stateIn.ts'

const settledStates = importedFileStates.states.filter((state) => isFinal(importedFileStates, state))

/** Adds a file to the totals of its import, or subtracts it. A package that was opened is not counted, the files in it are. */
function countFile(row: 'NEW' | 'OLD', sign: '+' | '-'): string {
  const isSettled = stateIn(settledStates, `${row}.state`)
  const isOpened = `(${row}.state = 'IMPORTED' AND ${row}.name IS NULL)`
  return `
  UPDATE import_task SET files_total = files_total ${sign} (NOT ${isOpened}),
    files_done = files_done ${sign} (${isSettled} AND NOT ${isOpened}), bytes_total = bytes_total ${sign} ${row}.bytes_total,
    bytes_done = bytes_done ${sign} (CASE WHEN ${isSettled} THEN ${row}.bytes_total ELSE ${row}.bytes_done END),
    findings = findings ${sign} ${row}.errors
  WHERE job_id = ${row}.job_id;`
}

export const importTables = `
CREATE TABLE import_file (                  -- paths of an import, as requested: files and folders
  job_id INTEGER NOT NULL REFERENCES job(id),
  path TEXT NOT NULL,
  PRIMARY KEY (job_id, path)
) WITHOUT ROWID;

CREATE TABLE import_task (                  -- the task of an import: it follows the states of the job
  task_id INTEGER PRIMARY KEY REFERENCES task(id) ON DELETE CASCADE,
  job_id INTEGER NOT NULL UNIQUE REFERENCES job(id),
  -- Kept by triggers on imported_file: summing 100,000 files takes 60 ms, and the progress is written every two seconds.
  files_total INTEGER NOT NULL DEFAULT 0,
  files_done INTEGER NOT NULL DEFAULT 0,
  bytes_total INTEGER NOT NULL DEFAULT 0,
  bytes_done INTEGER NOT NULL DEFAULT 0,    -- of a settled file all
  findings INTEGER NOT NULL DEFAULT 0       -- errors
);

CREATE TABLE imported_file (                -- a file that an import was given, or found in a folder or a package
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  path TEXT NOT NULL,                       -- of the file on the disk
  entry TEXT NOT NULL,                      -- '' for that file itself; else its path in the package, '!' between nested packages
  kind TEXT NOT NULL,                       -- a stored message: its format
  sha256 TEXT,                              -- of the original bytes, hex; null until they have been read
  name TEXT UNIQUE,                         -- name in the archive; null until it is decided
  treatment TEXT CHECK (treatment IN ('kept', 'recompressed', 'converted')), -- of its bytes; set together with the name
  state TEXT NOT NULL,                      -- importedFileStates
  bytes_total INTEGER NOT NULL,
  bytes_done INTEGER NOT NULL DEFAULT 0,
  records INTEGER NOT NULL DEFAULT 0,
  captures INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0,
  warnings INTEGER NOT NULL DEFAULT 0,
  notes INTEGER NOT NULL DEFAULT 0,
  has_quality_records INTEGER NOT NULL DEFAULT 0, -- records about a job, which Loupe wrote
  message TEXT,                             -- a stored message: why it was rejected, or how it was changed
  code TEXT,                                -- code of contract/calls/faults of a rejected file
  archived_as TEXT,                         -- in state ARCHIVED: the name of the identical file in the archive
  UNIQUE (job_id, path, entry)
);
CREATE INDEX imported_file_by_state ON imported_file (job_id, state, id);
CREATE INDEX imported_file_by_name_of_any_case ON imported_file (name COLLATE NOCASE);
CREATE INDEX imported_file_by_sha256 ON imported_file (sha256) WHERE name IS NOT NULL;
-- Job lists ask for the sums often, and an import may have a hundred thousand files.
CREATE INDEX imported_file_findings ON imported_file (job_id, errors, warnings, notes) WHERE errors + warnings + notes > 0;
CREATE TRIGGER imported_file_is_counted AFTER INSERT ON imported_file BEGIN${countFile('NEW', '+')}
END;
CREATE TRIGGER imported_file_is_not_counted AFTER DELETE ON imported_file BEGIN${countFile('OLD', '-')}
END;
CREATE TRIGGER imported_file_is_counted_again AFTER UPDATE OF state, name, bytes_total, bytes_done, errors ON imported_file
BEGIN${countFile('OLD', '-')}${countFile('NEW', '+')}
END;

CREATE TABLE imported_finding (             -- the first findings of each rule in each file
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  rule TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
  message TEXT NOT NULL,                    -- a stored message: what was found at this place
  record INTEGER,
  offset INTEGER
);
CREATE INDEX imported_finding_by_file ON imported_finding (file_id, id);

CREATE TABLE imported_finding_count (       -- total number of findings of each rule in each file
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  rule TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
  count INTEGER NOT NULL,
  PRIMARY KEY (file_id, rule)
) WITHOUT ROWID;

CREATE TABLE imported_truncation (          -- truncated captures in imported files, by reason
  job_id INTEGER NOT NULL REFERENCES job(id),
  reason TEXT NOT NULL CHECK (reason IN ('length', 'time', 'disconnect', 'framing', 'unspecified')),
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  captures INTEGER NOT NULL,
  PRIMARY KEY (job_id, reason, file_id)
) WITHOUT ROWID;

CREATE TABLE imported_document (            -- a document that describes an imported package; becomes a record of the job's metadata
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  entry TEXT NOT NULL,                      -- path in the package
  content_type TEXT NOT NULL,
  UNIQUE (file_id, entry)
);
`
