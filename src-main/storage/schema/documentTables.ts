/** Tables of a job's documents: hosts, the queue over all jobs, captures, links and distances. They hold millions of rows, so their
 *  constraints and indexes are chosen to limit what a commit of the crawl writes (`bench/frontier.ts`). */
import {
  heldDocumentStates,
  queuedDocumentStates,
  waitingDocumentStates,
} from '../../contract/states/documentStates.ts'
import { isOneOf, stateIn } from './stateIn.ts'

const isQueued = (row: 'NEW' | 'OLD') => isOneOf(queuedDocumentStates, `${row}.state`)
const isWaiting = stateIn(waitingDocumentStates)

const countQueued = (row: 'NEW' | 'OLD', sign: '+' | '-') =>
  `UPDATE job SET documents_queued = documents_queued ${sign} 1 WHERE id = ${row}.job_id;`

export const documentTables = `
CREATE TABLE host (                         -- an origin that a job fetches from, with the numbers of this run as of its last commit
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  origin TEXT NOT NULL,                     -- scheme://host:port
  robots_state TEXT NOT NULL DEFAULT 'UNKNOWN' CHECK (robots_state IN ('UNKNOWN', 'ALLOWED', 'RULES', 'UNREACHABLE')),
  robots_text TEXT,                         -- the rules; for UNREACHABLE the reason (contract/states/outcomes)
  domain TEXT,                              -- registered domain; null until the job has worked on the host
  fetched INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  last_ms INTEGER,                          -- when the last document of the host was finished
  ready_ms INTEGER,                         -- no request to the host before this time
  pace REAL NOT NULL DEFAULT 0,             -- documents per minute, around last_ms
  UNIQUE (job_id, origin)
);
CREATE INDEX host_by_domain ON host (job_id, domain);
CREATE TRIGGER host_begins_with_its_run AFTER UPDATE OF run ON job BEGIN
  UPDATE host SET fetched = 0, failed = 0, bytes = 0, last_ms = NULL, ready_ms = NULL, pace = 0
  WHERE job_id = NEW.id AND last_ms IS NOT NULL;
END;

CREATE TABLE document (                     -- a URL of a job; it stays from run to run
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  url_key BLOB NOT NULL,                    -- SHA-256 of the canonical URL
  url TEXT NOT NULL,
  host_id INTEGER NOT NULL REFERENCES host(id),
  state TEXT NOT NULL,                      -- documentStates

  -- How it was found
  role TEXT NOT NULL CHECK (role IN ('page', 'requisite', 'robots', 'sitemap')),
  hop_path TEXT NOT NULL,                   -- one letter per hop: L link, E embed, R redirect, P prerequisite, M sitemap
  hops INTEGER NOT NULL,                    -- navigation hops (L and M) from a seed
  via_id INTEGER,                           -- document that links here; null for a seed
  seed_mark TEXT NOT NULL DEFAULT 'F' CHECK (seed_mark IN ('F', 'S', 'N')), -- not a seed, a seed, named by the current seeding
  listed_version TEXT,                      -- version according to whatever listed it last
  captured_version TEXT,                    -- version that was fetched last

  -- Its place in the queue
  job_priority INTEGER NOT NULL DEFAULT 5,  -- copy of the job's priority: one index gives the order over all jobs
  priority REAL,                            -- lower is sooner; null: it has no place in the queue
  needs_priority INTEGER NOT NULL DEFAULT 0,
  lift INTEGER NOT NULL DEFAULT 0 CHECK (lift IN (-1, 0, 1)), -- set by people: 1 before everything else, -1 after it
  left_out TEXT,                            -- deleted from the queue while it was in progress: the reason; skipped when its turn comes
  check_action TEXT CHECK (check_action IN ('rescan', 'remove')), -- what is due at due_ms; null: a fetch
  due_ms INTEGER NOT NULL,                  -- not before this time

  -- The last attempt
  attempts INTEGER NOT NULL DEFAULT 0,
  fail_ms INTEGER,                          -- when the current series of failures is given up
  fail_count INTEGER,                       -- tries that are left in that series
  outcome TEXT CHECK (outcome IN ('fetched', 'failed', 'excluded')),
  reason TEXT,                              -- why it failed or was excluded: a code of contract/states/outcomes
  detail TEXT,                              -- rule, limit or system message for the reason
  comparison TEXT CHECK (comparison IN ('new', 'unchanged', 'changed', 'gone')), -- with the previous run
  status INTEGER,
  media_type TEXT,
  bytes INTEGER,                            -- of the response, as received over the network
  content_bytes INTEGER,                    -- of bytes, without the HTTP header
  truncated TEXT CHECK (truncated IN ('length', 'time', 'disconnect', 'framing', 'unspecified')), -- null: complete
  payload_digest TEXT,
  fetched_ms INTEGER,
  duration_ms INTEGER CHECK (duration_ms >= 0),
  file_id INTEGER,                          -- harvest_file that holds the response
  file_offset INTEGER,
  UNIQUE (job_id, url_key)
);
-- Lists: in the order of discovery, by outcome, by payload.
CREATE INDEX document_by_job ON document (job_id);
CREATE INDEX document_by_outcome ON document (job_id, outcome, id);
CREATE INDEX document_truncated ON document (job_id, truncated) WHERE truncated IS NOT NULL AND outcome = 'fetched';
CREATE INDEX document_by_digest ON document (job_id, payload_digest) WHERE payload_digest IS NOT NULL;
-- The queue, in its order; and the documents without a place in it, by when they are due.
CREATE INDEX document_by_priority ON document (job_priority, priority)
  WHERE priority IS NOT NULL AND ${isWaiting};
CREATE INDEX document_needing_priority ON document (job_id, due_ms)
  WHERE needs_priority = 1 AND ${isWaiting};
-- Waiting documents in the order of discovery; host and state are included so that hosts are scanned within the index. Sorted by
-- host, each of some hundred hosts would dirty a page of its own per commit: a third of all that a commit writes.
CREATE INDEX document_waiting ON document (job_id, id, host_id, state)
  WHERE ${isWaiting};
-- In progress in any job: never many.
CREATE INDEX document_in_progress ON document (url_key, job_id)
  WHERE ${stateIn(heldDocumentStates)};
CREATE INDEX document_left_out ON document (job_id) WHERE left_out IS NOT NULL;
-- In a series of failures: few, and read whenever the system clock was changed.
CREATE INDEX document_failing ON document (job_id) WHERE fail_ms IS NOT NULL;
-- Not found again by a run, to be deleted, to expire: of a few jobs at a time.
CREATE INDEX document_not_found ON document (job_id, due_ms) WHERE state = 'PURGATORY';
CREATE INDEX document_gone ON document (job_id, due_ms) WHERE state = 'COMPLETE' AND comparison = 'gone';
CREATE INDEX document_to_delete ON document (job_id, due_ms) WHERE state = 'ELIGIBLEFORDELETE';
CREATE INDEX document_leaving ON document (job_id) WHERE state = 'BEINGCLEANED';
CREATE INDEX document_to_expire ON document (due_ms) WHERE state = 'PENDINGPURGATORY' AND check_action = 'remove';

-- job.documents_queued is counted and not derived: a document that waits for another look already has its outcome of this run.
CREATE TRIGGER queued_document_is_added AFTER INSERT ON document WHEN ${isQueued('NEW')}
  BEGIN ${countQueued('NEW', '+')} END;
CREATE TRIGGER queued_document_is_removed AFTER DELETE ON document WHEN ${isQueued('OLD')}
  BEGIN ${countQueued('OLD', '-')} END;
CREATE TRIGGER document_moves_in_queue AFTER UPDATE OF state ON document WHEN ${isQueued('NEW')} <> ${isQueued('OLD')}
  BEGIN UPDATE job SET documents_queued = documents_queued + ${isQueued('NEW')} - ${isQueued('OLD')} WHERE id = NEW.job_id; END;

CREATE TABLE capture (                      -- what the archive holds of a document, and how often it changed
  document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE,
  record_id TEXT NOT NULL,                  -- of the response record that holds the payload, without urn:uuid:
  captured_ms INTEGER NOT NULL,             -- WARC-Date of that record
  status INTEGER NOT NULL,
  payload_digest TEXT NOT NULL,
  named_digest TEXT,                        -- WARC-Payload-Digest of the record where it differs from payload_digest
  media_type TEXT,                          -- of the payload; null: none was named
  content_bytes INTEGER,                    -- length of the payload as it was received; null: not known
  etag TEXT,                                -- as the server sent it
  last_modified TEXT,                       -- as the server sent it
  file_id INTEGER NOT NULL,                 -- harvest_file of the response
  file_offset INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,                -- time of the first capture
  checked_ms INTEGER NOT NULL,              -- time of the last request
  change_count INTEGER NOT NULL             -- versions seen, including the first
);

CREATE TABLE removed_document (             -- what left the document list of a job, per run; reports read it
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  why TEXT NOT NULL CHECK (why IN ('answered', 'notFound', 'expired')),
  removed_ms INTEGER NOT NULL,
  url TEXT NOT NULL,
  via TEXT,
  hop_path TEXT NOT NULL,
  status INTEGER,                           -- this and the following: of the request in this run, if there was one
  media_type TEXT,
  bytes INTEGER,
  content_bytes INTEGER,
  truncated TEXT,
  payload_digest TEXT,
  fetched_ms INTEGER,
  duration_ms INTEGER CHECK (duration_ms >= 0)
);
CREATE INDEX removed_document_by_run ON removed_document (job_id, run, id);

CREATE TABLE run_url (                      -- URLs that an earlier run fetched, kept when the next one clears them; the last run has its own in document
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  comparison TEXT NOT NULL,                 -- as in document
  url TEXT NOT NULL,
  status INTEGER,
  bytes INTEGER,
  fetched_ms INTEGER
);
CREATE INDEX run_url_by_run ON run_url (job_id, run, comparison, id);
CREATE TABLE run_comparison (               -- how many they were; kept longer than the URLs
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  comparison TEXT NOT NULL,
  documents INTEGER NOT NULL,
  PRIMARY KEY (job_id, run, comparison)
) WITHOUT ROWID;
CREATE TRIGGER run_url_is_counted AFTER INSERT ON run_url BEGIN
  INSERT INTO run_comparison (job_id, run, comparison, documents) VALUES (NEW.job_id, NEW.run, NEW.comparison, 1)
  ON CONFLICT DO UPDATE SET documents = documents + 1;
END;

CREATE TABLE bin_counter (                  -- documents of a bin (a host, for the Web) that were given a place; the next comes after them
  bin TEXT PRIMARY KEY,
  value REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE queue_depth (                  -- one row
  id INTEGER PRIMARY KEY CHECK (id = 1),
  depth_min REAL NOT NULL DEFAULT 0,        -- depth to which the queue has been processed; only rises, except by a reset
  is_resetting INTEGER NOT NULL DEFAULT 0   -- 1: every document is to be given a new place
);
INSERT INTO queue_depth (id) VALUES (1);

CREATE TABLE hop_node (                     -- a URL in the link graph of a job; it survives the deletion of its document
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  url_key BLOB NOT NULL,                    -- as in document; empty: the root, which links to every seed
  UNIQUE (job_id, url_key)
);

CREATE TABLE hop_job (                      -- a job that keeps distances
  job_id INTEGER PRIMARY KEY REFERENCES job(id) ON DELETE CASCADE,
  root_id INTEGER NOT NULL REFERENCES hop_node(id) ON DELETE CASCADE,
  has_paths INTEGER NOT NULL                 -- 0: rows of hop may lack via_id
);

CREATE TABLE link (
  source_id INTEGER NOT NULL REFERENCES hop_node(id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES hop_node(id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('seed', 'robots', 'link', 'embed', 'redirect', 'sitemap')),
  PRIMARY KEY (source_id, target_id, type)
) WITHOUT ROWID;
CREATE INDEX link_by_target ON link (target_id);

CREATE TABLE hop (                          -- distance of a node from the root, in one measure
  node_id INTEGER NOT NULL REFERENCES hop_node(id) ON DELETE CASCADE,
  measure TEXT NOT NULL,                    -- a key of crawl/model/hopMeasures
  job_id INTEGER NOT NULL,
  distance INTEGER,                         -- never below the true one; null: no path is known
  -- Last link of the path that the distance counts. Together these links are the tree of shortest paths: when a link of it
  -- vanishes, the rows below that link are the ones to compute again.
  via_id INTEGER,
  via_type TEXT,
  work INTEGER NOT NULL DEFAULT 0,          -- 0 none, 1 its links have to be updated, 2 it has to be computed again first
  is_unapplied INTEGER NOT NULL DEFAULT 1,  -- 1: the change is not yet in the document
  PRIMARY KEY (node_id, measure)
) WITHOUT ROWID;
CREATE INDEX hop_by_via ON hop (via_id, measure) WHERE via_id IS NOT NULL;
-- Disconnected nodes first, then the nearest ones: each row gets its shortest path first.
CREATE INDEX hop_with_work ON hop (job_id, work DESC, distance) WHERE work > 0;
CREATE INDEX hop_unapplied ON hop (job_id) WHERE is_unapplied = 1;

CREATE TABLE carried (                      -- values that a document (parent) hands down to those it links to (child)
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  parent_key BLOB NOT NULL,                 -- url_key of the document
  child_key BLOB NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (job_id, parent_key, child_key, name, value)
) WITHOUT ROWID;
CREATE INDEX carried_by_child ON carried (job_id, child_key);

CREATE TABLE live_event (                   -- events in progress that documents wait for; a kill ends them
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (job_id, name)
) WITHOUT ROWID;
CREATE TABLE prerequisite (                 -- events that a document waits for while they are live
  document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
  event TEXT NOT NULL,
  PRIMARY KEY (document_id, event)
) WITHOUT ROWID;
`
