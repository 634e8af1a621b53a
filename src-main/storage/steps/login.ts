/** Step 20 of the schema: login. */
export const loginStep = {
  number: 20,
  sql: `
CREATE TABLE credential (                   -- where it is kept; what it is stands in no table
  name TEXT PRIMARY KEY,
  store TEXT NOT NULL,                      -- the kind of key store, and its entry there
  entry TEXT NOT NULL UNIQUE,
  set_ms INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE cookie (                       -- sessions of a running job; safe to lose, which costs a login
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  is_host_only INTEGER NOT NULL,
  is_secure INTEGER NOT NULL,
  expires_ms INTEGER,                       -- null: with the session, which is the run
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (job_id, domain, path, name)
) WITHOUT ROWID;
-- Whatever ends a run: nobody needs its sessions any more, and the database must not keep them.
CREATE TRIGGER cookie_ends_with_its_run AFTER UPDATE OF state ON job
WHEN NEW.state = 'INACTIVE' AND OLD.state <> 'INACTIVE' BEGIN
  DELETE FROM cookie WHERE job_id = NEW.id;
END;
`,
}
