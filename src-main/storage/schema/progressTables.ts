/** Table of the progress of runs. */
export const progressTables = `
CREATE TABLE progress_sample (              -- numbers of a run while it is worked on; some hundred per run (crawl/run/progressSampler.ts)
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  running_ms INTEGER NOT NULL,              -- as in job: by the monotonic clock, without pauses
  is_end INTEGER NOT NULL,                  -- 1: made at the end of the last segment of the run, until the next one ends
  at_ms INTEGER NOT NULL,
  discovered INTEGER NOT NULL,
  queued INTEGER NOT NULL,
  fetched INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  in_progress INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (job_id, run, running_ms, is_end)
) WITHOUT ROWID;
`
