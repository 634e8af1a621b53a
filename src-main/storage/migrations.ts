/** The schema, as numbered steps that are never changed once released: a new need is a new step. Times are milliseconds
 *  since 1970 UTC and end in `_ms`; a URL's key is the SHA-256 of its canonical form. */
import { accountsStep } from './steps/accounts.ts'
import { auditOriginStep } from './steps/auditOrigin.ts'
import { batchJobsStep } from './steps/batchJobs.ts'
import { clockStep } from './steps/clock.ts'
import { connectorsStep } from './steps/connectors.ts'
import { definitionStep } from './steps/definition.ts'
import { droppedSecretsStep } from './steps/droppedSecrets.ts'
import { durationsStep } from './steps/durations.ts'
import { endsWithFindingsStep } from './steps/endsWithFindings.ts'
import { errorCodeStep } from './steps/errorCode.ts'
import { exactViewsStep } from './steps/exactViews.ts'
import { historyStep } from './steps/history.ts'
import { hopsStep } from './steps/hops.ts'
import { jobsStep } from './steps/jobs.ts'
import { liveStep } from './steps/live.ts'
import { loginStep } from './steps/login.ts'
import { namedDigestsStep } from './steps/namedDigests.ts'
import { notStoredStep } from './steps/notStored.ts'
import { ownershipStep } from './steps/ownership.ts'
import { queueStep } from './steps/queue.ts'
import { recrawlStep } from './steps/recrawl.ts'
import { rejectRulesStep } from './steps/rejectRules.ts'
import { runsStep } from './steps/runs.ts'
import { scheduleStep } from './steps/schedule.ts'
import { selectionsStep } from './steps/selections.ts'
import { truncationStep } from './steps/truncation.ts'
import { viewingStep } from './steps/viewing.ts'
import { viewingFindingsStep } from './steps/viewingFindings.ts'
import { waitingStep } from './steps/waiting.ts'

interface Migration {
  number: number
  sql: string
  /** Where this gives a row, the database is written anew afterwards, so that nothing of what was deleted is left in it. */
  compactedWhere?: string
}

export const migrations: readonly Migration[] = [
  {
    number: 1,
    sql: `
CREATE TABLE harvest (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('event', 'import')),
  definition TEXT NOT NULL,                 -- JSON, shape HarvestDefinition of the contract
  created_ms INTEGER NOT NULL
);

CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  harvest_id INTEGER NOT NULL REFERENCES harvest(id),
  state TEXT NOT NULL,                      -- jobStates
  stop_reason TEXT,                         -- DOWNLOAD_COMPLETE, OBJECT_LIMIT, SIZE_LIMIT, TIME_LIMIT, DOWNLOAD_UNFINISHED
  error_text TEXT,
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  ended_ms INTEGER,
  running_ms INTEGER NOT NULL DEFAULT 0,    -- time spent ACTIVE before the present stretch
  active_since_ms INTEGER,                  -- start of the present stretch of being ACTIVE
  documents_total INTEGER NOT NULL DEFAULT 0,
  documents_fetched INTEGER NOT NULL DEFAULT 0,
  documents_failed INTEGER NOT NULL DEFAULT 0,
  documents_excluded INTEGER NOT NULL DEFAULT 0,
  documents_duplicate INTEGER NOT NULL DEFAULT 0, -- of the fetched ones: payload seen before in this job
  bytes INTEGER NOT NULL DEFAULT 0          -- of responses, as they crossed the wire
);

CREATE TABLE host (                         -- one origin that a job fetches from
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  origin TEXT NOT NULL,                     -- scheme://host:port
  robots_state TEXT NOT NULL DEFAULT 'UNKNOWN' CHECK (robots_state IN ('UNKNOWN', 'ALLOWED', 'RULES', 'UNREACHABLE')),
  robots_text TEXT,                         -- the rules; for UNREACHABLE the reason (contract/outcomes)
  UNIQUE (job_id, origin)
);

CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  url_key BLOB NOT NULL,                    -- SHA-256 of url
  url TEXT NOT NULL,
  host_id INTEGER NOT NULL REFERENCES host(id),
  state TEXT NOT NULL,                      -- documentStates
  outcome TEXT CHECK (outcome IN ('fetched', 'failed', 'excluded')),
  reason TEXT,                              -- why it failed or was excluded: a code of contract/outcomes
  detail TEXT,                              -- the rule, limit or system message behind the reason
  role TEXT NOT NULL CHECK (role IN ('page', 'requisite', 'robots', 'sitemap')),
  hop_path TEXT NOT NULL,                   -- one letter a hop: L link, E embed, R redirect, P prerequisite, M sitemap
  hops INTEGER NOT NULL,                    -- navigation hops (L and M) from a seed
  via_id INTEGER,                           -- the document that led here; null for a seed
  due_ms INTEGER NOT NULL,                  -- not before
  attempts INTEGER NOT NULL DEFAULT 0,
  status INTEGER,
  media_type TEXT,
  bytes INTEGER,
  payload_digest TEXT,
  fetched_ms INTEGER,
  duration_ms INTEGER,
  file_id INTEGER,                          -- harvest_file that holds the response
  file_offset INTEGER,
  UNIQUE (job_id, url_key)
);
-- The turn: what a host gives next. Robots first, then by distance, then in order of discovery.
CREATE INDEX document_by_turn ON document (host_id, hops, id) WHERE state = 'PENDING';
-- A job's documents in the order in which they were found, for lists.
CREATE INDEX document_by_job ON document (job_id);
CREATE INDEX document_active ON document (job_id) WHERE state = 'ACTIVE';
CREATE INDEX document_by_outcome ON document (job_id, outcome, id);
CREATE INDEX document_by_digest ON document (job_id, payload_digest) WHERE payload_digest IS NOT NULL;

CREATE TABLE harvest_file (                 -- a WARC file of a job before it is in the archive
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  serial INTEGER NOT NULL,
  name TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('OPEN', 'CLOSED', 'STORED')),
  committed_bytes INTEGER NOT NULL,         -- what counts: anything behind it is a torn tail
  records INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE import_file (                  -- what an import job takes in, as it was asked for
  job_id INTEGER NOT NULL REFERENCES job(id),
  path TEXT NOT NULL,
  PRIMARY KEY (job_id, path)
) WITHOUT ROWID;

CREATE TABLE job_event (                    -- the job's log, as people read it
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  at_ms INTEGER NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'error')),
  text TEXT NOT NULL
);
CREATE INDEX job_event_by_job ON job_event (job_id, id);

CREATE TABLE archive_file (                 -- the catalogue
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,                     -- hex
  job_id INTEGER,
  kind TEXT NOT NULL CHECK (kind IN ('content', 'metadata')),
  registered_ms INTEGER NOT NULL,
  stored_ms INTEGER                         -- when every replica had completed
);
CREATE INDEX archive_file_by_job ON archive_file (job_id);

CREATE TABLE replica_file (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES archive_file(id),
  replica TEXT NOT NULL,
  upload_state TEXT NOT NULL,               -- uploadStates
  upload_attempts INTEGER NOT NULL DEFAULT 0,
  upload_problem TEXT,
  preservation_state TEXT NOT NULL DEFAULT 'UNCHECKED', -- preservationStates
  checked_ms INTEGER,                       -- last missing-file or checksum check
  verified_ms INTEGER,                      -- last checksum comparison
  found_sha256 TEXT,
  found_bytes INTEGER,
  UNIQUE (file_id, replica)
);
CREATE INDEX replica_file_by_replica ON replica_file (replica, file_id);

CREATE TABLE preservation_check (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('missing', 'checksums')),
  replicas TEXT NOT NULL,                   -- JSON list of replica names
  files_pattern TEXT,                       -- a regular expression over file names, null for all
  sample INTEGER,                           -- how many files, chosen by chance, null for all
  state TEXT NOT NULL,                      -- checkStates
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  files_total INTEGER NOT NULL,
  files_done INTEGER NOT NULL DEFAULT 0,
  bytes_total INTEGER NOT NULL,             -- to be read: 0 for a check that only looks whether files are there
  bytes_done INTEGER NOT NULL DEFAULT 0,
  findings INTEGER NOT NULL DEFAULT 0,
  problem TEXT
);
CREATE TABLE preservation_item (            -- one (file, replica) a check has to look at; done_ms makes it resumable
  id INTEGER PRIMARY KEY,
  check_id INTEGER NOT NULL REFERENCES preservation_check(id),
  replica_file_id INTEGER REFERENCES replica_file(id),
  replica TEXT NOT NULL,
  name TEXT NOT NULL,
  done_ms INTEGER,
  finding TEXT CHECK (finding IN ('missing', 'wrongLength', 'wrongChecksum', 'unreadable', 'surplus')),
  expected TEXT,
  found TEXT
);
CREATE INDEX preservation_item_by_check ON preservation_item (check_id, done_ms, id);
CREATE INDEX preservation_item_finding ON preservation_item (replica_file_id, id) WHERE finding IS NOT NULL;

CREATE TABLE audit (                        -- who did what to ground truth
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL                      -- JSON
);

CREATE TABLE view (                         -- a chosen set of jobs, looked at as of a moment
  id INTEGER PRIMARY KEY,
  jobs TEXT NOT NULL,                       -- JSON list of job ids, ascending
  at_ms INTEGER,                            -- null: newest
  created_ms INTEGER NOT NULL
);
CREATE TABLE miss (                         -- a URL that a viewing could not answer
  id INTEGER PRIMARY KEY,
  view_id INTEGER NOT NULL REFERENCES view(id),
  url TEXT NOT NULL,
  referrer TEXT NOT NULL,                   -- '' when the browser sent none
  method TEXT NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  UNIQUE (view_id, url, referrer, method)
);
`,
  },
  {
    number: 2,
    sql: `
CREATE TABLE imported_file (                -- a file that an import was given, or found in a folder or a package
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id),
  path TEXT NOT NULL,                       -- of the file on the disk
  entry TEXT NOT NULL,                      -- '' for that file itself; else its place in the package, '!' before each further one
  kind TEXT NOT NULL,                       -- what its bytes are, in the words of formats/recognise
  sha256 TEXT,                              -- of its bytes where it came from, hex; once they have been read
  name TEXT UNIQUE,                         -- what the archive is to call it, once that is decided
  deed TEXT CHECK (deed IN ('kept', 'recompressed', 'converted')), -- what was done to its bytes on the way, with the name
  state TEXT NOT NULL,                      -- importedFileStates
  bytes_total INTEGER NOT NULL,
  bytes_done INTEGER NOT NULL DEFAULT 0,
  records INTEGER NOT NULL DEFAULT 0,
  captures INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0,
  warnings INTEGER NOT NULL DEFAULT 0,
  notes INTEGER NOT NULL DEFAULT 0,
  problem TEXT,                             -- why it was refused, or what was done to it
  UNIQUE (job_id, path, entry)
);
CREATE INDEX imported_file_by_state ON imported_file (job_id, state, id);

CREATE TABLE imported_finding (             -- the first findings of each rule in each file
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  rule TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
  text TEXT NOT NULL,
  record INTEGER,
  offset INTEGER
);
CREATE INDEX imported_finding_by_file ON imported_finding (file_id, id);

CREATE TABLE imported_finding_count (       -- and how many there are in truth
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  rule TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
  count INTEGER NOT NULL,
  PRIMARY KEY (file_id, rule)
) WITHOUT ROWID;

CREATE TABLE imported_document (            -- what a package says about itself: it becomes a record of the job's metadata
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES imported_file(id),
  entry TEXT NOT NULL,                      -- its place in the package
  content_type TEXT NOT NULL,
  UNIQUE (file_id, entry)
);
`,
  },
  {
    number: 3,
    sql: `
CREATE TABLE export (                       -- a selection written out of the archive
  id INTEGER PRIMARY KEY,
  request TEXT NOT NULL,                    -- JSON, shape ExportRequest of the contract
  state TEXT NOT NULL,                      -- exportStates
  records INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  files_total INTEGER NOT NULL,
  files_done INTEGER NOT NULL DEFAULT 0,
  bytes_total INTEGER NOT NULL,             -- to be read, the new file included
  bytes_done INTEGER NOT NULL DEFAULT 0,
  is_complete INTEGER NOT NULL DEFAULT 0,   -- nothing of the selection is lacking
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  problem TEXT,
  code TEXT,                                -- of contract/faults
  remarks TEXT NOT NULL DEFAULT '[]'        -- JSON list of sentences
);
`,
  },
  {
    number: 4,
    sql: `
ALTER TABLE imported_file ADD COLUMN code TEXT; -- of a refused one, what contract/faults calls its problem
`,
  },
  {
    number: 5,
    // A field of an entry's hash is its length in bytes, a colon, the text, a comma; one that is null is '~,'. The same is
    // made of new entries in archive/audit/audit.ts, which says why.
    sql: `
ALTER TABLE audit RENAME TO audit_unchained;
CREATE TABLE audit (                        -- who did what to ground truth: only ever added to
  number INTEGER PRIMARY KEY,               -- 1, 2, 3 … without a gap
  at_ms INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  subject TEXT NOT NULL,
  was TEXT,                                 -- JSON: before; null where there was nothing
  became TEXT,                              -- JSON: after; null where nothing is left
  previous TEXT NOT NULL,                   -- hash of the entry before; of the first, 64 zeros
  hash TEXT NOT NULL                        -- SHA-256 over all other columns, hex
);
INSERT INTO audit (number, at_ms, who, what, subject, was, became, previous, hash)
WITH RECURSIVE
  entry AS (SELECT row_number() OVER (ORDER BY id) AS number, at_ms, who, what, subject, detail FROM audit_unchained),
  chain (number, at_ms, who, what, subject, became, previous, hash) AS (
    SELECT 0, 0, '', '', '', '', '', '0000000000000000000000000000000000000000000000000000000000000000'
    UNION ALL
    SELECT entry.number, entry.at_ms, entry.who, entry.what, entry.subject, entry.detail, chain.hash, sha256(
      length(entry.number) || ':' || entry.number || ',' || length(entry.at_ms) || ':' || entry.at_ms || ',' ||
      length(CAST(entry.who AS BLOB)) || ':' || entry.who || ',' ||
      length(CAST(entry.what AS BLOB)) || ':' || entry.what || ',' ||
      length(CAST(entry.subject AS BLOB)) || ':' || entry.subject || ',' || '~,' ||
      length(CAST(entry.detail AS BLOB)) || ':' || entry.detail || ',' ||
      length(chain.hash) || ':' || chain.hash || ',')
    FROM chain JOIN entry ON entry.number = chain.number + 1)
SELECT number, at_ms, who, what, subject, NULL, became, previous, hash FROM chain WHERE number > 0;
DROP TABLE audit_unchained;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;
-- Also what REPLACE would remove without a DELETE.
CREATE TRIGGER audit_goes_on BEFORE INSERT ON audit
  WHEN NEW.number IS NOT (SELECT COALESCE(MAX(number), 0) + 1 FROM audit)
    OR NEW.previous IS NOT COALESCE((SELECT hash FROM audit ORDER BY number DESC LIMIT 1),
      '0000000000000000000000000000000000000000000000000000000000000000')
  BEGIN SELECT RAISE(ABORT, 'an entry of the audit trail goes on where the last one ended'); END;

ALTER TABLE preservation_check ADD COLUMN begun_by TEXT NOT NULL DEFAULT 'person' CHECK (begun_by IN ('person', 'schedule'));
-- Stopped by the end of Loupe, or to make way for a person's check: not because anybody did not want it.
ALTER TABLE preservation_check ADD COLUMN put_aside INTEGER NOT NULL DEFAULT 0;

-- Bad copies are few, and asked for at every status.
CREATE INDEX replica_file_bad ON replica_file (file_id) WHERE preservation_state IN ('MISSING', 'CORRUPT');

CREATE TABLE spot_check (                   -- a salted look at some files, chosen by chance
  id INTEGER PRIMARY KEY,
  begun_by TEXT NOT NULL CHECK (begun_by IN ('person', 'schedule')),
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER                          -- null: it goes on, or Loupe ended before it did
);
CREATE TABLE spot (                         -- one file of it, with all its answers, once they are in
  id INTEGER PRIMARY KEY,
  spot_check_id INTEGER NOT NULL REFERENCES spot_check(id),
  file_id INTEGER NOT NULL REFERENCES archive_file(id),
  at_ms INTEGER NOT NULL,
  salt TEXT NOT NULL,                       -- hex
  verdict TEXT NOT NULL,                    -- a key of archive/spotVerdict
  answers TEXT NOT NULL                     -- JSON list: replica, and what it answered or why it could not
);
CREATE INDEX spot_by_check ON spot (spot_check_id, id);
CREATE INDEX spot_by_file ON spot (file_id, id);
`,
  },
  {
    number: 6,
    sql: `
CREATE TABLE batch_run (                    -- a batch job over chosen files of the archive
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,                       -- what its two files are called after
  module TEXT NOT NULL,                     -- a built-in one, or the path of a module
  request TEXT NOT NULL,                    -- JSON, shape BatchRequest of the contract
  state TEXT NOT NULL,                      -- batchStates
  files_total INTEGER NOT NULL,
  bytes_total INTEGER NOT NULL,
  processed INTEGER NOT NULL DEFAULT 0,     -- whose turn is over, those that failed among them
  failed INTEGER NOT NULL DEFAULT 0,
  bytes_done INTEGER NOT NULL DEFAULT 0,
  output TEXT NOT NULL,                     -- paths
  errors TEXT NOT NULL,
  output_bytes INTEGER NOT NULL DEFAULT 0,
  error_bytes INTEGER NOT NULL DEFAULT 0,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  problem TEXT,
  code TEXT                                 -- of contract/faults
);
`,
  },
  {
    number: 7,
    sql: `
CREATE TABLE attic (                        -- what was taken out of service, or is just being taken: written down before
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES archive_file(id),
  replica TEXT NOT NULL,
  sha256 TEXT NOT NULL,                     -- of what is taken, hex
  bytes INTEGER,                            -- null: an entry of checksums
  who TEXT NOT NULL,
  reason TEXT NOT NULL,
  begun_ms INTEGER NOT NULL,
  kept TEXT,                                -- where, from the replica's folder; null: not known to have been taken yet
  kept_ms INTEGER,
  brought_ms INTEGER,                       -- when the good copy was in its place
  restored_as TEXT                          -- the name under which it was put beside
);
CREATE INDEX attic_by_file ON attic (file_id, replica);
CREATE INDEX attic_unsettled ON attic (id) WHERE kept IS NULL OR brought_ms IS NULL;
`,
  },
  {
    number: 8,
    // What older archives know of their past is what is left in preservation_item (every copy of every check), in
    // replica_file (the last look, also a repair's) and in the audit trail (repairs).
    sql: `
CREATE TABLE sighting (                     -- what was seen of one copy, as long as it was the same: stretches, one after the other
  id INTEGER PRIMARY KEY,
  copy_id INTEGER NOT NULL REFERENCES replica_file(id),
  seen TEXT NOT NULL CHECK (seen IN ('stored', 'right', 'present', 'missing', 'wrongLength', 'wrongChecksum', 'unreadable')),
  sha256 TEXT,                              -- of what was read, hex; null when nothing was
  bytes INTEGER,                            -- null when nobody could tell
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  times INTEGER NOT NULL
);
CREATE INDEX sighting_by_copy ON sighting (copy_id, id);

INSERT INTO sighting (copy_id, seen, sha256, bytes, first_ms, last_ms, times)
WITH
  copy AS (
    SELECT replica_file.id, registered_ms, stored_ms, bytes, sha256, preservation_state, checked_ms, verified_ms, found_sha256, found_bytes
    FROM replica_file JOIN archive_file ON archive_file.id = file_id WHERE upload_state = 'UPLOAD_COMPLETED'),
  looked AS (
    SELECT replica_file_id AS copy_id, MIN(done_ms) AS first_ms, MAX(done_ms) AS last_ms
    FROM preservation_item WHERE done_ms IS NOT NULL AND replica_file_id IS NOT NULL GROUP BY replica_file_id),
  look AS (
    SELECT copy.id AS copy_id, 0 AS turn, 'stored' AS seen, sha256, bytes,
      MIN(COALESCE(stored_ms, registered_ms), COALESCE(first_ms, checked_ms, stored_ms, registered_ms)) AS at_ms
    FROM copy LEFT JOIN looked ON copy_id = copy.id
    UNION ALL
    SELECT copy.id, item.id, COALESCE(finding, CASE kind WHEN 'checksums' THEN 'right' ELSE 'present' END),
      CASE WHEN finding = 'wrongChecksum' THEN found WHEN finding IS NULL AND kind = 'checksums' THEN sha256 END,
      CASE WHEN finding = 'wrongLength' THEN CAST(found AS INTEGER)
           WHEN finding IS NULL OR finding = 'wrongChecksum' THEN bytes END,
      done_ms
    FROM preservation_item AS item JOIN preservation_check ON preservation_check.id = check_id
    JOIN copy ON copy.id = replica_file_id WHERE done_ms IS NOT NULL
    UNION ALL
    SELECT copy.id, 9e15,
      CASE WHEN preservation_state = 'MISSING' THEN 'missing' WHEN preservation_state = 'PRESENT' THEN 'present'
           WHEN preservation_state = 'OK' THEN 'right' WHEN found_sha256 IS NULL THEN 'unreadable'
           WHEN found_bytes IS NOT bytes THEN 'wrongLength' ELSE 'wrongChecksum' END,
      CASE WHEN preservation_state IN ('OK', 'CORRUPT') THEN found_sha256 END,
      CASE WHEN preservation_state IN ('OK', 'PRESENT') THEN bytes
           WHEN preservation_state = 'CORRUPT' AND found_sha256 IS NOT NULL THEN found_bytes END,
      checked_ms
    FROM copy LEFT JOIN looked ON copy_id = copy.id WHERE checked_ms > COALESCE(last_ms, 0)),
  ordered AS (
    SELECT *, row_number() OVER (PARTITION BY copy_id ORDER BY at_ms, turn)
      - row_number() OVER (PARTITION BY copy_id, seen, sha256, bytes ORDER BY at_ms, turn) AS stretch
    FROM look)
SELECT copy_id, seen, sha256, bytes, MIN(at_ms), MAX(at_ms), COUNT(*) FROM ordered
GROUP BY copy_id, seen, sha256, bytes, stretch ORDER BY copy_id, MIN(at_ms), MIN(turn);
-- What was taken to the attic is missing since then, and nobody had to look.
INSERT INTO sighting (copy_id, seen, first_ms, last_ms, times)
SELECT id, 'missing', at_ms, at_ms, 1 FROM (
  SELECT replica_file.id, MAX(last_ms, COALESCE(
    (SELECT MAX(kept_ms) FROM attic WHERE attic.file_id = replica_file.file_id AND attic.replica = replica_file.replica), 0)) AS at_ms
  FROM replica_file JOIN sighting ON sighting.id = (SELECT MAX(id) FROM sighting WHERE copy_id = replica_file.id)
  WHERE preservation_state = 'MISSING' AND seen <> 'missing');

CREATE TABLE replica_event (                -- what a check, a spot check or repairs showed of one replica, in the order in which they began
  id INTEGER PRIMARY KEY,
  replica TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('missing', 'checksums', 'spot', 'repair')),
  number INTEGER NOT NULL,                  -- the check, the spot check; of repairs, the entry of the first in the audit trail
  begun_by TEXT NOT NULL CHECK (begun_by IN ('person', 'schedule', 'recovery')),
  at_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  files_total INTEGER NOT NULL,
  files INTEGER NOT NULL DEFAULT 0,
  findings INTEGER NOT NULL DEFAULT 0,
  UNIQUE (replica, kind, number)
);
CREATE INDEX replica_event_by_replica ON replica_event (replica, id);

INSERT INTO replica_event (replica, kind, number, begun_by, at_ms, last_ms, files_total, files, findings)
WITH
  item AS (
    SELECT check_id, replica, COUNT(replica_file_id) AS files_total, COUNT(finding) AS findings,
      COUNT(CASE WHEN replica_file_id IS NOT NULL THEN done_ms END) AS files
    FROM preservation_item GROUP BY check_id, replica),
  asked AS (
    SELECT spot.id, spot_check_id, verdict, value ->> 'replica' AS replica, value ->> 'kind' AS kind, value ->> 'hmac' AS hmac
    FROM spot, json_each(answers)),
  repaired AS (
    SELECT number, at_ms, who, became ->> 'replica' AS replica, what = 'repair' AS is_done FROM audit
    WHERE what IN ('repair', 'repairFailed') AND who IN ('person', 'schedule', 'recovery')),
  -- Repairs that follow each other within ten minutes are one event.
  apart AS (
    SELECT *, COALESCE(at_ms - LAG(at_ms) OVER same > 600000, 1) AS is_new FROM repaired
    WINDOW same AS (PARTITION BY replica, who ORDER BY number)),
  together AS (SELECT *, SUM(is_new) OVER (PARTITION BY replica, who ORDER BY number) AS stretch FROM apart)
SELECT value, kind, preservation_check.id, begun_by, started_ms, COALESCE(ended_ms, started_ms),
  COALESCE(item.files_total, 0), COALESCE(files, 0), COALESCE(item.findings, 0)
FROM preservation_check, json_each(replicas) LEFT JOIN item ON check_id = preservation_check.id AND replica = value
UNION ALL
SELECT replica, 'spot', spot_check.id, begun_by, started_ms, COALESCE(ended_ms, started_ms),
  COUNT(*), COUNT(CASE WHEN kind <> 'away' THEN 1 END),
  COUNT(CASE WHEN kind = 'failed' THEN 1 WHEN kind = 'answered' AND verdict = 'differ' AND 2 * (
    SELECT COUNT(*) FROM asked AS other WHERE other.id = asked.id AND other.hmac = asked.hmac) <= (
    SELECT COUNT(*) FROM asked AS other WHERE other.id = asked.id AND other.kind = 'answered') THEN 1 END)
FROM asked JOIN spot_check ON spot_check.id = spot_check_id WHERE kind <> 'notAsked' GROUP BY replica, spot_check.id
UNION ALL
SELECT replica, 'repair', MIN(number), who, MIN(at_ms), MAX(at_ms), COUNT(*), SUM(is_done), COUNT(*) - SUM(is_done)
FROM together GROUP BY replica, who, stretch
ORDER BY 5, 2, 3;

-- A check that is done needs no list any more of what it had to look at: only of what it found.
DELETE FROM preservation_item WHERE finding IS NULL AND check_id IN (SELECT id FROM preservation_check WHERE state = 'DONE');
-- The list is written down in steps, and taken away in steps: in the order of its numbers.
ALTER TABLE preservation_check ADD COLUMN list TEXT NOT NULL DEFAULT 'growing' CHECK (list IN ('growing', 'whole', 'cleared'));
UPDATE preservation_check SET list = CASE state WHEN 'DONE' THEN 'cleared' ELSE 'whole' END;
CREATE INDEX preservation_item_by_id ON preservation_item (check_id, id);

CREATE INDEX audit_by_subject ON audit (subject, number);
`,
  },
  {
    number: 9,
    sql: `
-- The trail grows with every file; who looks for the deeds of one kind, or of one who did them, looks for few of many.
CREATE INDEX audit_by_what ON audit (what, number);
CREATE INDEX audit_by_who ON audit (who, number);
`,
  },
  {
    number: 10,
    sql: `
-- The list of files, narrowed down by how the copies stand, and in the order of sizes and times.
CREATE INDEX replica_file_by_state ON replica_file (preservation_state, file_id);
CREATE INDEX replica_file_not_stored ON replica_file (file_id) WHERE upload_state <> 'UPLOAD_COMPLETED';
CREATE INDEX replica_file_by_comparison ON replica_file (verified_ms, file_id) WHERE preservation_state IN ('PRESENT', 'OK');
CREATE INDEX archive_file_by_bytes ON archive_file (bytes);
CREATE INDEX archive_file_by_age ON archive_file (COALESCE(stored_ms, registered_ms));
`,
  },
  {
    number: 11,
    sql: `
-- What nobody can read is taken out of service without a checksum.
CREATE TABLE attic_with_unread (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES archive_file(id),
  replica TEXT NOT NULL,
  sha256 TEXT,                              -- of what is taken, hex; null: it could not be read
  bytes INTEGER,                            -- null: an entry of checksums, or what could not be read
  who TEXT NOT NULL,
  reason TEXT NOT NULL,
  begun_ms INTEGER NOT NULL,
  kept TEXT,                                -- where, from the replica's folder; null: not known to have been taken yet
  kept_ms INTEGER,
  brought_ms INTEGER,                       -- when the good copy was in its place
  restored_as TEXT                          -- the name under which it was put beside
);
INSERT INTO attic_with_unread (id, file_id, replica, sha256, bytes, who, reason, begun_ms, kept, kept_ms, brought_ms, restored_as)
SELECT id, file_id, replica, sha256, bytes, who, reason, begun_ms, kept, kept_ms, brought_ms, restored_as FROM attic;
DROP TABLE attic;
ALTER TABLE attic_with_unread RENAME TO attic;
CREATE INDEX attic_by_file ON attic (file_id, replica);
CREATE INDEX attic_unsettled ON attic (id) WHERE kept IS NULL OR brought_ms IS NULL;
`,
  },
  {
    number: 12,
    sql: `
-- On many disks names that differ only in capital letters are one file. Of names that were there before there may be pairs.
CREATE INDEX archive_file_by_name_of_any_case ON archive_file (name COLLATE NOCASE);
CREATE INDEX imported_file_by_name_of_any_case ON imported_file (name COLLATE NOCASE);
CREATE INDEX harvest_file_by_name_of_any_case ON harvest_file (name COLLATE NOCASE);
`,
  },
  {
    number: 13,
    // Counts over a million files take a second while nobody else has a turn: they are kept instead.
    sql: `
CREATE TABLE replica_total (                -- what a count over replica_file would give, kept by its triggers
  replica TEXT PRIMARY KEY,
  copies INTEGER NOT NULL DEFAULT 0,        -- every row, stored or not; the others are of those that are
  files INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  never_checked INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  corrupt INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO replica_total (replica, copies, files, bytes, never_checked, missing, corrupt)
SELECT replica, COUNT(*), SUM(stored), SUM(stored * bytes), SUM(stored AND preservation_state = 'UNCHECKED'),
  SUM(stored AND preservation_state = 'MISSING'), SUM(stored AND preservation_state = 'CORRUPT')
FROM (SELECT replica, bytes, preservation_state, upload_state = 'UPLOAD_COMPLETED' AS stored
      FROM replica_file JOIN archive_file ON archive_file.id = file_id) GROUP BY replica;

-- When the copy was last known to be right: compared, or stored, which reads it back.
ALTER TABLE replica_file ADD COLUMN compared_ms INTEGER;
UPDATE replica_file SET compared_ms = COALESCE(verified_ms,
  (SELECT COALESCE(stored_ms, registered_ms) FROM archive_file WHERE id = file_id));

CREATE TRIGGER replica_file_is_counted AFTER INSERT ON replica_file BEGIN
  UPDATE replica_file SET compared_ms = COALESCE(NEW.verified_ms,
    (SELECT COALESCE(stored_ms, registered_ms) FROM archive_file WHERE id = NEW.file_id)) WHERE id = NEW.id;
  INSERT INTO replica_total (replica) VALUES (NEW.replica) ON CONFLICT (replica) DO NOTHING;
  UPDATE replica_total SET copies = copies + 1 WHERE replica = NEW.replica;
  UPDATE replica_total SET files = files + 1,
    bytes = bytes + (SELECT archive_file.bytes FROM archive_file WHERE id = NEW.file_id),
    never_checked = never_checked + (NEW.preservation_state = 'UNCHECKED'),
    missing = missing + (NEW.preservation_state = 'MISSING'), corrupt = corrupt + (NEW.preservation_state = 'CORRUPT')
  WHERE replica = NEW.replica AND NEW.upload_state = 'UPLOAD_COMPLETED';
END;
CREATE TRIGGER replica_file_is_counted_no_more AFTER DELETE ON replica_file BEGIN
  UPDATE replica_total SET copies = copies - 1 WHERE replica = OLD.replica;
  UPDATE replica_total SET files = files - 1,
    bytes = bytes - (SELECT archive_file.bytes FROM archive_file WHERE id = OLD.file_id),
    never_checked = never_checked - (OLD.preservation_state = 'UNCHECKED'),
    missing = missing - (OLD.preservation_state = 'MISSING'), corrupt = corrupt - (OLD.preservation_state = 'CORRUPT')
  WHERE replica = OLD.replica AND OLD.upload_state = 'UPLOAD_COMPLETED';
END;
CREATE TRIGGER replica_file_is_counted_anew AFTER UPDATE OF upload_state, preservation_state ON replica_file
WHEN NEW.upload_state <> OLD.upload_state OR NEW.preservation_state <> OLD.preservation_state BEGIN
  UPDATE replica_total SET files = files - 1,
    bytes = bytes - (SELECT archive_file.bytes FROM archive_file WHERE id = OLD.file_id),
    never_checked = never_checked - (OLD.preservation_state = 'UNCHECKED'),
    missing = missing - (OLD.preservation_state = 'MISSING'), corrupt = corrupt - (OLD.preservation_state = 'CORRUPT')
  WHERE replica = OLD.replica AND OLD.upload_state = 'UPLOAD_COMPLETED';
  UPDATE replica_total SET files = files + 1,
    bytes = bytes + (SELECT archive_file.bytes FROM archive_file WHERE id = NEW.file_id),
    never_checked = never_checked + (NEW.preservation_state = 'UNCHECKED'),
    missing = missing + (NEW.preservation_state = 'MISSING'), corrupt = corrupt + (NEW.preservation_state = 'CORRUPT')
  WHERE replica = NEW.replica AND NEW.upload_state = 'UPLOAD_COMPLETED';
END;
CREATE TRIGGER replica_file_is_dated_anew AFTER UPDATE OF verified_ms ON replica_file BEGIN
  UPDATE replica_file SET compared_ms = COALESCE(NEW.verified_ms,
    (SELECT COALESCE(stored_ms, registered_ms) FROM archive_file WHERE id = NEW.file_id)) WHERE id = NEW.id;
END;
CREATE TRIGGER archive_file_dates_its_copies AFTER UPDATE OF stored_ms, registered_ms ON archive_file BEGIN
  UPDATE replica_file SET compared_ms = COALESCE(verified_ms, NEW.stored_ms, NEW.registered_ms) WHERE file_id = NEW.id;
END;

CREATE INDEX replica_file_unchecked ON replica_file (replica, compared_ms)
  WHERE upload_state = 'UPLOAD_COMPLETED' AND preservation_state = 'UNCHECKED';
CREATE INDEX replica_file_ageing ON replica_file (replica, compared_ms)
  WHERE upload_state = 'UPLOAD_COMPLETED' AND preservation_state IN ('PRESENT', 'OK');
CREATE INDEX replica_file_verified ON replica_file (replica, verified_ms) WHERE upload_state = 'UPLOAD_COMPLETED';
`,
  },
  jobsStep,
  queueStep,
  recrawlStep,
  hopsStep,
  scheduleStep,
  connectorsStep,
  loginStep,
  historyStep,
  liveStep,
  waitingStep,
  definitionStep,
  accountsStep,
  clockStep,
  viewingStep,
  viewingFindingsStep,
  exactViewsStep,
  ownershipStep,
  namedDigestsStep,
  selectionsStep,
  rejectRulesStep,
  droppedSecretsStep,
  auditOriginStep,
  truncationStep,
  endsWithFindingsStep,
  durationsStep,
  batchJobsStep,
  notStoredStep,
  errorCodeStep,
  runsStep,
]
