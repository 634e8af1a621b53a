/** Tables of the archive: the catalogue, the copies in each replica with what was observed of them, the audit log and the attic. */

import {
  badCopyStates,
  checkedCopyStates,
  notStoredUploadStates,
  storedUploadStates,
} from '../../contract/states/copyStates.ts'
import { stateIn } from './stateIn.ts'

/** Condition of the indexes over copies that a check has found and that are not bad. */
const isChecked = stateIn(checkedCopyStates, 'preservation_state')

/** Copies that were stored completely, whatever later checks have found. */
const isStored = stateIn(storedUploadStates, 'upload_state')

/** Hash that the first entry of the audit log continues from. */
const zeroHash = '0'.repeat(64)

/** Adds a stored copy to the totals of its replica, or subtracts it. */
const countCopy = (row: 'NEW' | 'OLD', sign: '+' | '-') => `
  UPDATE replica_total SET files = files ${sign} 1,
    bytes = bytes ${sign} (SELECT archive_file.bytes FROM archive_file WHERE id = ${row}.file_id),
    never_checked = never_checked ${sign} (${row}.preservation_state = 'UNCHECKED'),
    missing = missing ${sign} (${row}.preservation_state = 'MISSING'), corrupt = corrupt ${sign} (${row}.preservation_state = 'CORRUPT')
  WHERE replica = ${row}.replica AND ${stateIn(storedUploadStates, `${row}.upload_state`)};`

/** Sets the time when the copy was last known to be right: when a check compared it, or when it was stored, which includes reading it
 *  back. */
const dateCopy = `
  UPDATE replica_file SET compared_ms = COALESCE(NEW.verified_ms,
    (SELECT COALESCE(stored_ms, registered_ms) FROM archive_file WHERE id = NEW.file_id)) WHERE id = NEW.id;`

export const archiveTables = `
CREATE TABLE archive_file (                 -- the catalogue
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,                     -- hex
  job_id INTEGER,                           -- no reference: files stay when their job is deleted
  kind TEXT NOT NULL CHECK (kind IN ('content', 'metadata')),
  registered_ms INTEGER NOT NULL,
  stored_ms INTEGER                         -- when the last replica had completed; null: not yet
);
CREATE INDEX archive_file_by_job ON archive_file (job_id);
CREATE INDEX archive_file_by_sha256 ON archive_file (sha256);
CREATE INDEX archive_file_by_bytes ON archive_file (bytes);
CREATE INDEX archive_file_by_age ON archive_file (COALESCE(stored_ms, registered_ms));
-- Names that differ only in case are one file on many disks.
CREATE INDEX archive_file_by_name_of_any_case ON archive_file (name COLLATE NOCASE);

CREATE TABLE replica_file (                 -- one copy: a file in a replica
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES archive_file(id),
  replica TEXT NOT NULL,
  upload_state TEXT NOT NULL,               -- uploadStates
  upload_attempts INTEGER NOT NULL DEFAULT 0,
  upload_problem TEXT,
  preservation_state TEXT NOT NULL DEFAULT 'UNCHECKED', -- preservationStates
  checked_ms INTEGER,                       -- last missing-file or checksum check
  verified_ms INTEGER,                      -- last checksum comparison by a check or a repair
  found_sha256 TEXT,                        -- checksum that was read then
  found_bytes INTEGER,
  compared_ms INTEGER,                      -- kept by triggers: verified_ms, or else when the file was stored
  UNIQUE (file_id, replica)
);
CREATE INDEX replica_file_by_replica ON replica_file (replica, file_id);
CREATE INDEX replica_file_by_state ON replica_file (preservation_state, file_id);
CREATE INDEX replica_file_not_stored ON replica_file (file_id) WHERE ${stateIn(notStoredUploadStates, 'upload_state')};
-- Bad copies are few, and read for every status.
CREATE INDEX replica_file_bad ON replica_file (file_id) WHERE ${stateIn(badCopyStates, 'preservation_state')};
CREATE INDEX replica_file_by_comparison ON replica_file (verified_ms, file_id) WHERE ${isChecked};
CREATE INDEX replica_file_verified ON replica_file (replica, verified_ms) WHERE ${isStored};
CREATE INDEX replica_file_unchecked ON replica_file (replica, compared_ms)
  WHERE ${isStored} AND preservation_state = 'UNCHECKED';
CREATE INDEX replica_file_ageing ON replica_file (replica, compared_ms)
  WHERE ${isStored} AND ${isChecked};

-- Counting a million copies takes a second in which nothing else runs, so the counts are kept.
CREATE TABLE replica_total (
  replica TEXT PRIMARY KEY,
  copies INTEGER NOT NULL DEFAULT 0,        -- all rows of replica_file; the other columns count only stored copies
  files INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  never_checked INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  corrupt INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TRIGGER replica_file_is_counted AFTER INSERT ON replica_file BEGIN${dateCopy}
  INSERT INTO replica_total (replica) VALUES (NEW.replica) ON CONFLICT (replica) DO NOTHING;
  UPDATE replica_total SET copies = copies + 1 WHERE replica = NEW.replica;${countCopy('NEW', '+')}
END;
CREATE TRIGGER replica_file_is_counted_no_more AFTER DELETE ON replica_file BEGIN
  UPDATE replica_total SET copies = copies - 1 WHERE replica = OLD.replica;${countCopy('OLD', '-')}
END;
CREATE TRIGGER replica_file_is_counted_again AFTER UPDATE OF upload_state, preservation_state ON replica_file
WHEN NEW.upload_state <> OLD.upload_state OR NEW.preservation_state <> OLD.preservation_state
BEGIN${countCopy('OLD', '-')}${countCopy('NEW', '+')}
END;
CREATE TRIGGER replica_file_is_dated_again AFTER UPDATE OF verified_ms ON replica_file BEGIN${dateCopy}
END;
CREATE TRIGGER archive_file_dates_its_copies AFTER UPDATE OF stored_ms, registered_ms ON archive_file BEGIN
  UPDATE replica_file SET compared_ms = COALESCE(verified_ms, NEW.stored_ms, NEW.registered_ms) WHERE file_id = NEW.id;
END;

CREATE TABLE observation (                  -- what was observed of a copy; consecutive equal observations are one row
  id INTEGER PRIMARY KEY,
  copy_id INTEGER NOT NULL REFERENCES replica_file(id),
  seen TEXT NOT NULL CHECK (seen IN ('stored', 'right', 'present', 'missing', 'wrongLength', 'wrongChecksum', 'unreadable')),
  sha256 TEXT,                              -- of the bytes that were read, hex; null: none were read
  bytes INTEGER,                            -- null: unknown
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  times INTEGER NOT NULL
);
CREATE INDEX observation_by_copy ON observation (copy_id, id);

CREATE TABLE unregistered_file (            -- a file in a replica that is not in the catalogue
  replica TEXT NOT NULL,
  name TEXT NOT NULL,
  bytes INTEGER,                            -- null: a replica of checksums does not know it
  found_ms INTEGER NOT NULL,
  listing INTEGER NOT NULL,                 -- last listing of the replica that had it
  PRIMARY KEY (replica, name)
) WITHOUT ROWID;
CREATE INDEX unregistered_file_by_name_of_any_case ON unregistered_file (name COLLATE NOCASE);
-- The first comparison lets SQLite use the index above.
CREATE TRIGGER unregistered_file_is_registered AFTER INSERT ON archive_file
  BEGIN DELETE FROM unregistered_file WHERE name = NEW.name COLLATE NOCASE AND name = NEW.name; END;

CREATE TABLE replica_listing (              -- when all names in a replica were last compared with the catalogue
  replica TEXT PRIMARY KEY,
  listing INTEGER NOT NULL,                 -- incremented by each listing
  listed_ms INTEGER                         -- null: the first listing has not finished
) WITHOUT ROWID;

-- The audit log. Each entry contains the hash of the one before it (archive/audit/audit.ts), and entries are only ever added.
CREATE TABLE audit (
  number INTEGER PRIMARY KEY,               -- 1, 2, 3 … without gaps
  at_ms INTEGER NOT NULL,
  who TEXT NOT NULL,                        -- user, schedule, recovery, upload, job N
  what TEXT NOT NULL,                       -- the action
  subject TEXT NOT NULL,
  was TEXT,                                 -- JSON: before; null: there was nothing
  became TEXT,                              -- JSON: after; null: nothing is left
  previous TEXT NOT NULL,                   -- hash of the entry before; of the first entry, 64 zeros
  hash TEXT NOT NULL,                       -- SHA-256 over all other columns, hex
  account TEXT,                             -- these three: on whose behalf it was written; null together
  host TEXT,
  shell TEXT
);
CREATE INDEX audit_by_subject ON audit (subject, number);
CREATE INDEX audit_by_what ON audit (what, number);
CREATE INDEX audit_by_who ON audit (who, number);
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'entries of the audit log cannot be changed'); END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'entries of the audit log cannot be removed'); END;
-- INSERT too: REPLACE removes rows without a DELETE.
CREATE TRIGGER audit_goes_on BEFORE INSERT ON audit
  WHEN NEW.number IS NOT (SELECT COALESCE(MAX(number), 0) + 1 FROM audit)
    OR NEW.previous IS NOT COALESCE((SELECT hash FROM audit ORDER BY number DESC LIMIT 1), '${zeroHash}')
  BEGIN SELECT RAISE(ABORT, 'a new entry of the audit log must follow the last one'); END;

-- Copies that were replaced by a repair. A row is written before the copy is moved, so that a kill leaves no unknown file.
CREATE TABLE attic (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES archive_file(id),
  replica TEXT NOT NULL,
  sha256 TEXT,                              -- of the copy that is moved, hex; null: it could not be read
  bytes INTEGER,                            -- null: an entry of a checksum list, or a copy that could not be read
  who TEXT NOT NULL,
  reason TEXT NOT NULL,
  begun_ms INTEGER NOT NULL,
  moved_to TEXT,                            -- path from the replica's folder; null: not known to have been moved
  moved_ms INTEGER,
  replaced_ms INTEGER,                      -- when a good copy was in its place
  restored_as TEXT                          -- name under which it was put back into the replica's folder
);
CREATE INDEX attic_by_file ON attic (file_id, replica);
CREATE INDEX attic_unsettled ON attic (id) WHERE moved_to IS NULL OR replaced_ms IS NULL;
`
