/** Step 18 of the schema: when a job runs by itself. Where the window of a run ends stands in the job's own columns. */
export const scheduleStep = {
  number: 18,
  sql: `
ALTER TABLE job ADD COLUMN schedule TEXT; -- as in the contract, JSON; null: it starts only when somebody starts it
ALTER TABLE job ADD COLUMN window_begin_ms INTEGER; -- of the window that last started it: no second run is started in it
-- Looked at every few seconds: of a thousand jobs that rest, only those that may begin by themselves.
CREATE INDEX job_by_schedule ON job (id) WHERE schedule IS NOT NULL;
CREATE INDEX job_by_window_end ON job (window_end_ms) WHERE window_end_ms IS NOT NULL;
`,
}
