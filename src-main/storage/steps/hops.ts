/** Step 17 of the schema: hops, what a document hands down to those that it leads to, and what documents wait for. */
export const hopsStep = {
  number: 17,
  sql: `
-- An address of a job as hop counts know it. It stays when its document is deleted, so the links to it are not lost.
CREATE TABLE hop_node (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  url_key BLOB NOT NULL,                    -- as in document; empty: the root, which leads to every seed
  UNIQUE (job_id, url_key)
);

CREATE TABLE hop_job (                      -- a job that keeps distances
  job_id INTEGER PRIMARY KEY REFERENCES job(id) ON DELETE CASCADE,
  root_id INTEGER NOT NULL REFERENCES hop_node(id) ON DELETE CASCADE,
  has_ways INTEGER NOT NULL                 -- 0: there may be rows without their way (never delete)
);

CREATE TABLE link (
  source_id INTEGER NOT NULL REFERENCES hop_node(id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES hop_node(id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('seed', 'robots', 'link', 'embed', 'redirect', 'sitemap')),
  PRIMARY KEY (source_id, target_id, type)
) WITHOUT ROWID;
CREATE INDEX link_by_target ON link (target_id);

CREATE TABLE hop (                          -- how far a node is from the root, in one measure
  node_id INTEGER NOT NULL REFERENCES hop_node(id) ON DELETE CASCADE,
  measure TEXT NOT NULL,                    -- a key of crawl/model/hopMeasures
  job_id INTEGER NOT NULL,
  distance INTEGER,                         -- never less than the truth; null: no way is known
  -- The last link of the way that the distance counts: all of them together are the tree of shortest ways. A row depends on
  -- every link between it and the root; when one vanishes, the rows below it are those that must be asked again.
  via_id INTEGER,
  via_type TEXT,
  work INTEGER NOT NULL DEFAULT 0,          -- 0 none, 1 its links are to be told, 2 it is to be asked again first
  is_news INTEGER NOT NULL DEFAULT 1,       -- 1: the document does not know of the change yet
  PRIMARY KEY (node_id, measure)
) WITHOUT ROWID;
CREATE INDEX hop_by_via ON hop (via_id, measure) WHERE via_id IS NOT NULL;
-- What was cut off is asked first, then the nearest tells its links: each row is told its shortest way first.
CREATE INDEX hop_at_work ON hop (job_id, work DESC, distance) WHERE work > 0;
CREATE INDEX hop_with_news ON hop (job_id) WHERE is_news = 1;

CREATE TABLE carried (                      -- what a document (parent) says of those that it leads to (child)
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  parent_key BLOB NOT NULL,                 -- url_key of the document
  child_key BLOB NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (job_id, parent_key, child_key, name, value)
) WITHOUT ROWID;
CREATE INDEX carried_by_child ON carried (job_id, child_key);

CREATE TABLE live_event (                   -- what is going on now and others wait for; a kill ends it
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (job_id, name)
) WITHOUT ROWID;
CREATE TABLE prerequisite (                 -- which events a document waits for while they are live
  document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
  event TEXT NOT NULL,
  PRIMARY KEY (document_id, event)
) WITHOUT ROWID;
`,
}
