/** Step 22 of the schema: what people change of a job while it runs, and what they see of its queue host by host. */
export const liveStep = {
  number: 22,
  sql: `
-- Counted up by everything that a person changes here: a run that reads another number than before looks anew.
ALTER TABLE job ADD COLUMN live_version INTEGER NOT NULL DEFAULT 0;

CREATE TABLE reject_rule (                  -- no address that matches is fetched
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  pattern TEXT NOT NULL,
  added_ms INTEGER NOT NULL,
  given_up_ms INTEGER,                      -- it took too long on an address: it rejects nothing any more
  UNIQUE (job_id, pattern)
);

CREATE TABLE domain_budget (                -- how much of a registered domain a run may fetch
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  objects_max INTEGER,                      -- null: as many as there are
  bytes_max INTEGER,
  PRIMARY KEY (job_id, domain)
) WITHOUT ROWID;

-- How this run goes with a host, as its last commit left it.
ALTER TABLE host ADD COLUMN domain TEXT;    -- registered; null until the job is worked on again
ALTER TABLE host ADD COLUMN fetched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host ADD COLUMN last_ms INTEGER;           -- when a document of it ended last
ALTER TABLE host ADD COLUMN ready_ms INTEGER;          -- it is left alone until then
ALTER TABLE host ADD COLUMN pace REAL NOT NULL DEFAULT 0; -- documents a minute, around last_ms
CREATE INDEX host_by_domain ON host (job_id, domain);
CREATE TRIGGER host_begins_with_its_run AFTER UPDATE OF run ON job BEGIN
  UPDATE host SET fetched = 0, failed = 0, bytes = 0, last_ms = NULL, ready_ms = NULL, pace = 0
  WHERE job_id = NEW.id AND last_ms IS NOT NULL;
END;

-- What a person moved in the queue: 1 before everything else, -1 behind it.
ALTER TABLE document ADD COLUMN lift INTEGER NOT NULL DEFAULT 0 CHECK (lift IN (-1, 0, 1));
-- Deleted from the queue while it was in hands, in whose words: it is left out when its turn comes.
ALTER TABLE document ADD COLUMN left_out TEXT;
CREATE INDEX document_left_out ON document (job_id) WHERE left_out IS NOT NULL;
`,
}
