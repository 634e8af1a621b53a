/** The statements of bit preservation: checks, what each has to look at, and what was found. */
import type { Store } from '../storage/storage.ts'
import { checkStates } from '../contract/states.ts'

export type CheckKind = 'missing' | 'checksums'

export interface CheckRow {
  id: number
  kind: CheckKind
  /** JSON list of names. */
  replicas: string
  filesPattern: string | null
  sample: number | null
  state: typeof checkStates.initial
  startedMs: number
  endedMs: number | null
  filesTotal: number
  filesDone: number
  bytesTotal: number
  bytesDone: number
  findings: number
  problem: string | null
}

export interface ItemRow {
  id: number
  copyId: number
  name: string
  bytes: number
  sha256: string
}

export interface FindingRow {
  replica: string
  name: string
  finding: 'missing' | 'wrongLength' | 'wrongChecksum' | 'unreadable' | 'surplus'
  expected: string | null
  found: string | null
  job: number | null
}

const checkColumns = `id, kind, replicas, files_pattern AS filesPattern, sample, state, started_ms AS startedMs,
  ended_ms AS endedMs, files_total AS filesTotal, files_done AS filesDone, bytes_total AS bytesTotal,
  bytes_done AS bytesDone, findings, problem`

const findingColumns = `item.replica, item.name, item.finding, item.expected, item.found, archive_file.job_id AS job`
const stored = `FROM replica_file JOIN archive_file ON archive_file.id = file_id
  WHERE replica IN (SELECT value FROM json_each(@replicas)) AND upload_state = 'UPLOAD_COMPLETED'`

export function preservationStatements(store: Store) {
  return {
    check: store.statement<{ id: number }, CheckRow>(`SELECT ${checkColumns} FROM preservation_check WHERE id = @id`),
    checks: store.statement<{ limit: number }, CheckRow>(
      `SELECT ${checkColumns} FROM preservation_check ORDER BY id DESC LIMIT @limit`,
    ),
    running: store.statement<object, CheckRow>(
      `SELECT ${checkColumns} FROM preservation_check WHERE state = 'RUNNING' ORDER BY id`,
    ),
    add: store.statement<
      { kind: CheckKind; replicas: string; filesPattern: string | null; sample: number | null; nowMs: number },
      { id: number }
    >(
      `INSERT INTO preservation_check (kind, replicas, files_pattern, sample, state, started_ms, files_total, bytes_total)
       VALUES (@kind, @replicas, @filesPattern, @sample, '${checkStates.initial}', @nowMs, 0, 0) RETURNING id`,
    ),
    /** The files that any of these replicas should hold. */
    candidates: store.statement<{ replicas: string }, { id: number; name: string }>(
      `SELECT DISTINCT archive_file.id, name ${stored} ORDER BY archive_file.id`,
    ),
    /** `files` is a JSON list of file ids, null for all. One INSERT a replica: a check goes through one after the other. */
    addItems: store.statement<{ check: number; replicas: string; files: string | null }>(
      `INSERT INTO preservation_item (check_id, replica_file_id, replica, name)
       SELECT @check, replica_file.id, replica, name ${stored}
         AND (@files IS NULL OR file_id IN (SELECT value FROM json_each(@files)))
       ORDER BY file_id`,
    ),
    noteTotals: store.statement<{ check: number }>(
      `UPDATE preservation_check SET (files_total, bytes_total) = (
         SELECT COUNT(*), CASE preservation_check.kind WHEN 'checksums' THEN COALESCE(SUM(bytes), 0) ELSE 0 END
         FROM preservation_item AS item
         JOIN replica_file ON replica_file.id = replica_file_id JOIN archive_file ON archive_file.id = file_id
         WHERE check_id = @check)
       WHERE id = @check`,
    ),
    /** The next items in the order of the check. Uses preservation_item_by_check. */
    pending: store.statement<{ check: number; replica: string; after: number; limit: number }, ItemRow>(
      `SELECT item.id, replica_file.id AS copyId, item.name, bytes, sha256
       FROM preservation_item AS item INDEXED BY preservation_item_by_check
       JOIN replica_file ON replica_file.id = replica_file_id JOIN archive_file ON archive_file.id = file_id
       WHERE check_id = @check AND done_ms IS NULL AND item.replica = @replica AND item.id > @after
       ORDER BY item.id LIMIT @limit`,
    ),
    settleItem: store.statement<{
      id: number
      nowMs: number
      finding: string | null
      expected: string | null
      found: string | null
    }>(
      `UPDATE preservation_item SET done_ms = @nowMs, finding = @finding, expected = @expected, found = @found WHERE id = @id`,
    ),
    noteCopy: store.statement<{
      id: number
      nowMs: number
      verifiedMs: number | null
      sha256: string | null
      bytes: number | null
    }>(
      `UPDATE replica_file SET checked_ms = @nowMs, found_bytes = @bytes,
         verified_ms = COALESCE(@verifiedMs, verified_ms), found_sha256 = COALESCE(@sha256, found_sha256)
       WHERE id = @id`,
    ),
    count: store.statement<{ check: number; files: number; bytes: number; findings: number }>(
      `UPDATE preservation_check
       SET files_done = files_done + @files, bytes_done = bytes_done + @bytes, findings = findings + @findings
       WHERE id = @check`,
    ),
    noteEnd: store.statement<{ check: number; nowMs: number | null; problem: string | null }>(
      `UPDATE preservation_check SET ended_ms = @nowMs, problem = @problem WHERE id = @check`,
    ),
    isCatalogued: store.statement<{ name: string }, { id: number }>(`SELECT id FROM archive_file WHERE name = @name`),
    /** Once a check, however often it is resumed. */
    addSurplus: store.statement<{ check: number; replica: string; name: string; nowMs: number }>(
      `INSERT INTO preservation_item (check_id, replica, name, done_ms, finding)
       SELECT @check, @replica, @name, @nowMs, 'surplus' WHERE NOT EXISTS (
         SELECT 1 FROM preservation_item INDEXED BY preservation_item_finding
         WHERE replica_file_id IS NULL AND finding IS NOT NULL
           AND check_id = @check AND replica = @replica AND name = @name)`,
    ),
    findingsOf: store.statement<{ check: number; limit: number }, FindingRow>(
      `SELECT ${findingColumns} FROM preservation_item AS item LEFT JOIN archive_file ON archive_file.name = item.name
       WHERE check_id = @check AND finding IS NOT NULL ORDER BY item.id LIMIT @limit`,
    ),
    /** What is wrong as far as anyone knows: the last finding of every copy whose state says so, and what the last whole
     *  check of each replica found that the catalogue still does not know. */
    findingsNow: store.statement<{ limit: number }, FindingRow>(
      `SELECT ${findingColumns} FROM replica_file
       JOIN preservation_item AS item ON item.id = (
         SELECT MAX(id) FROM preservation_item WHERE replica_file_id = replica_file.id AND finding IS NOT NULL)
       JOIN archive_file ON archive_file.id = file_id
       WHERE preservation_state IN ('MISSING', 'CORRUPT')
       UNION ALL
       SELECT ${findingColumns} FROM preservation_item AS item LEFT JOIN archive_file ON archive_file.name = item.name
       WHERE finding = 'surplus' AND archive_file.id IS NULL AND check_id = (
         SELECT MAX(id) FROM preservation_check
         WHERE kind = 'missing' AND state = 'DONE' AND files_pattern IS NULL AND sample IS NULL
           AND item.replica IN (SELECT value FROM json_each(replicas)))
       ORDER BY 1, 2 LIMIT @limit`,
    ),
  }
}

export type PreservationStatements = ReturnType<typeof preservationStatements>
