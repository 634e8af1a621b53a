/** Table of overlays. */
export const overlayTables = `
CREATE TABLE overlay (                      -- captures of a patch job that the viewer shows with the job that it patches
  patches INTEGER NOT NULL,                 -- number of the patched job; no references: the files of deleted jobs stay
  job_id INTEGER NOT NULL,                  -- number of the patch job
  name TEXT NOT NULL,
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,              -- of the last change: each change is a later one
  recorded_ms INTEGER,                      -- changed_ms of the newest change that a quality file has; null: none
  PRIMARY KEY (patches, job_id)
) WITHOUT ROWID;
CREATE INDEX overlay_to_record ON overlay (patches) WHERE recorded_ms IS NOT changed_ms;
`
