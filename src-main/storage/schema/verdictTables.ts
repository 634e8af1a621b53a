/** Table of the verdicts on pages. */
export const verdictTables = `
CREATE TABLE page_verdict (                 -- what a user says about a page of a job
  job_id INTEGER NOT NULL,                  -- no references: the files of deleted jobs stay
  url TEXT NOT NULL,                        -- '': the whole job
  verdict TEXT,                             -- verdictValues of contract/services/verdicts; null: taken back
  note TEXT NOT NULL,
  author TEXT NOT NULL,                     -- account of the user
  judged_ms INTEGER NOT NULL,               -- each change is a later one
  recorded_ms INTEGER,                      -- judged_ms of the newest change that a quality file has; null: none
  PRIMARY KEY (job_id, url)
) WITHOUT ROWID;
CREATE INDEX page_verdict_to_record ON page_verdict (job_id) WHERE recorded_ms IS NOT judged_ms;
`
