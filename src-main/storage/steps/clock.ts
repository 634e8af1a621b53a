/** Step 26 of the schema: how far the clock had come. What waits is due by the clock of the moment that wrote it down; when the
 *  clock is set back while nobody looks, this says by how much, whatever is written down afterwards in the new time. */
export const clockStep = {
  number: 26,
  sql: `
CREATE TABLE clock (                        -- one row
  latest_ms INTEGER NOT NULL                -- the latest moment of any row of the logs since the clock was last put right
);
INSERT INTO clock (latest_ms) SELECT COALESCE(MAX(at_ms), 0) FROM (
  SELECT at_ms FROM (SELECT at_ms FROM job_event ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT end_ms FROM (SELECT end_ms FROM activity ORDER BY id DESC LIMIT 1));
CREATE TRIGGER clock_of_event AFTER INSERT ON job_event
  BEGIN UPDATE clock SET latest_ms = new.at_ms WHERE latest_ms < new.at_ms; END;
CREATE TRIGGER clock_of_activity AFTER INSERT ON activity
  BEGIN UPDATE clock SET latest_ms = new.end_ms WHERE latest_ms < new.end_ms; END;
`,
}
