/** Step 38 of the schema: how long something took is a number of its own, counted by the monotonic clock, and never negative. It
 *  used to be what lay between two moments of the wall clock, which anybody may set meanwhile; this also repairs what came of
 *  that. */
export const durationsStep = {
  number: 38,
  sql: `
-- Added up while the run is worked on; a stretch that a kill had cut short lasted at least until the last thing it fetched.
ALTER TABLE job ADD COLUMN worked_ms INTEGER NOT NULL DEFAULT 0 CHECK (worked_ms >= 0);
UPDATE job SET worked_ms = MAX(0, running_ms) + COALESCE(
  (SELECT MAX(0, MAX(fetched_ms) - job.active_since_ms) FROM document WHERE job_id = job.id), 0);
INSERT INTO job_event (job_id, at_ms, level, text)
  SELECT id, CAST(unixepoch('subsec') * 1000 AS INTEGER), 'warning',
    'The clock of this machine was set during this run, and how long the run had lasted was written down wrong (below 0, or from a moment that is still to come). This was repaired: what is not known counts as 0.'
  FROM job WHERE running_ms < 0 OR active_since_ms > unixepoch('subsec') * 1000 ORDER BY id;
-- How often the run was taken up: at its start, after each pause and after each kill.
ALTER TABLE job ADD COLUMN stretches INTEGER NOT NULL DEFAULT 0 CHECK (stretches >= 0);
UPDATE job SET stretches = 1 WHERE started_ms IS NOT NULL;
ALTER TABLE job DROP COLUMN running_ms;
ALTER TABLE job DROP COLUMN active_since_ms;
ALTER TABLE job RENAME COLUMN worked_ms TO running_ms;

-- Of documents there are millions: a CHECK could only be had by writing all of them again.
UPDATE document SET duration_ms = NULL WHERE duration_ms < 0;
CREATE TRIGGER document_is_added_without_negative_duration BEFORE INSERT ON document WHEN NEW.duration_ms < 0
  BEGIN SELECT RAISE(ABORT, 'document.duration_ms must not be negative'); END;
CREATE TRIGGER document_keeps_no_negative_duration BEFORE UPDATE OF duration_ms ON document WHEN NEW.duration_ms < 0
  BEGIN SELECT RAISE(ABORT, 'document.duration_ms must not be negative'); END;
UPDATE removed_document SET duration_ms = NULL WHERE duration_ms < 0;
CREATE TRIGGER removed_document_has_no_negative_duration BEFORE INSERT ON removed_document WHEN NEW.duration_ms < 0
  BEGIN SELECT RAISE(ABORT, 'removed_document.duration_ms must not be negative'); END;

-- Rows of the history are millions too: each is written once here, and not again to take a column away.
-- What was begun before the clock was set back has its moment by the old one: it must not count as the latest again.
DROP TRIGGER clock_of_activity;
ALTER TABLE activity RENAME COLUMN end_ms TO duration_ms;
UPDATE activity SET duration_ms = MAX(0, duration_ms - start_ms);
CREATE TRIGGER activity_is_added_without_negative_duration BEFORE INSERT ON activity WHEN NEW.duration_ms < 0
  BEGIN SELECT RAISE(ABORT, 'activity.duration_ms must not be negative'); END;
CREATE TRIGGER activity_keeps_no_negative_duration BEFORE UPDATE OF duration_ms ON activity WHEN NEW.duration_ms < 0
  BEGIN SELECT RAISE(ABORT, 'activity.duration_ms must not be negative'); END;

ALTER TABLE preservation_check ADD COLUMN running_ms INTEGER NOT NULL DEFAULT 0 CHECK (running_ms >= 0);

-- Documents in a series of failures are few, and looked for whenever the clock was set.
CREATE INDEX document_failing ON document (job_id) WHERE fail_ms IS NOT NULL;
`,
}
