/** Statements of bit preservation: checks, their items and their findings. */
import type { Store } from '../../storage/storage.ts'
import { checkStates } from '../../contract/states/states.ts'
import { isBad, isStored } from '../copies/copies.sql.ts'

export type CheckKind = 'missing' | 'checksums'
export type Beginner = 'person' | 'schedule'

export interface CheckRow {
  id: number
  kind: CheckKind
  /** JSON list of the names of the replicas. */
  replicas: string
  filesPattern: string | null
  sample: number | null
  state: typeof checkStates.initial
  startedMs: number
  endedMs: number | null
  runningMs: number
  filesTotal: number
  filesDone: number
  bytesTotal: number
  bytesDone: number
  findings: number
  /** A stored message: why the check failed. */
  problem: string | null
  begunBy: Beginner
  /** 1 when interrupted by the end of Loupe or by another check; the schedule resumes the check. */
  isDeferred: number
  /** State of the list of items; `cleared`: the check has ended and keeps only its findings. */
  list: 'growing' | 'whole' | 'cleared'
}

export interface ItemRow {
  id: number
  /** Id of the copy; null when the file was not stored in the replica when the check began. */
  copyId: number | null
  replica: string
  name: string
  bytes: number
  sha256: string
}

/** Finding on a name: a file without a copy in the replica, or a copy without a file in the catalogue. */
export type NameFinding = 'surplus' | 'notStored'

export interface FindingRow {
  replica: string
  name: string
  finding: 'missing' | 'wrongLength' | 'wrongChecksum' | 'unreadable' | 'surplus' | 'notStored'
  /** Stored messages. */
  expected: string | null
  found: string | null
  job: number | null
}

const checkColumns = `id, kind, replicas, files_pattern AS filesPattern, sample, state, started_ms AS startedMs,
  ended_ms AS endedMs, running_ms AS runningMs, files_total AS filesTotal, files_done AS filesDone, bytes_total AS bytesTotal,
  bytes_done AS bytesDone, findings, problem, begun_by AS begunBy, is_deferred AS isDeferred, list`

/** Messages as `storedMessage` writes them, of the values in these columns. */
const lengthMessage = (column: string) => `json_object('code', 'copy.bytes', 'values', json_object('count', ${column}))`
const checksumMessage = (column: string) =>
  `json_object('code', 'copy.checksum', 'values', json_object('sha256', ${column}))`

const findingColumns = `item.replica, item.name, item.finding, item.expected, item.found, archive_file.job_id AS job`
/** All statements of this module, grouped below by what they are about. */
export function preservationStatements(store: Store) {
  return { ...checkStatements(store), ...itemStatements(store), ...findingStatements(store) }
}

/** Statements of the rows of checks: their states and counts. */
function checkStatements(store: Store) {
  return {
    check: store.statement<{ id: number }, CheckRow>(`SELECT ${checkColumns} FROM preservation_check WHERE id = @id`),
    checks: store.statement<{ limit: number }, CheckRow>(
      `SELECT ${checkColumns} FROM preservation_check ORDER BY id DESC LIMIT @limit`,
    ),
    running: store.statement<object, CheckRow>(
      `SELECT ${checkColumns} FROM preservation_check WHERE state = 'RUNNING' ORDER BY id`,
    ),
    add: store.statement<
      {
        kind: CheckKind
        replicas: string
        filesPattern: string | null
        sample: number | null
        begunBy: Beginner
        nowMs: number
      },
      { id: number }
    >(
      `INSERT INTO preservation_check
         (kind, replicas, files_pattern, sample, begun_by, state, started_ms, files_total, bytes_total)
       VALUES (@kind, @replicas, @filesPattern, @sample, @begunBy, '${checkStates.initial}', @nowMs, 0, 0) RETURNING id`,
    ),
    /** Marks the list as complete, so that the check can begin. */
    noteListed: store.statement<{ check: number }>(`UPDATE preservation_check SET list = 'whole' WHERE id = @check`),
    /** Adds to the counts of a check. `runningMs`: time since the last count. */
    count: store.statement<{ check: number; files: number; bytes: number; findings: number; runningMs: number }>(
      `UPDATE preservation_check
       SET files_done = files_done + @files, bytes_done = bytes_done + @bytes, findings = findings + @findings,
           running_ms = running_ms + @runningMs
       WHERE id = @check`,
    ),
    noteEnd: store.statement<{ check: number; nowMs: number; problem: string | null; isDeferred: 0 | 1 }>(
      `UPDATE preservation_check SET ended_ms = @nowMs, problem = @problem, is_deferred = @isDeferred WHERE id = @check`,
    ),
    noteResumed: store.statement<{ check: number; begunBy: Beginner }>(
      `UPDATE preservation_check SET ended_ms = NULL, problem = NULL, is_deferred = 0, begun_by = @begunBy WHERE id = @check`,
    ),
  }
}

/** Statements of the items of a check, one per file and replica. */
function itemStatements(store: Store) {
  return {
    /** Next pending items in the order of the check. Uses preservation_item_by_check. */
    pending: store.statement<{ check: number; replica: string; after: number; limit: number }, ItemRow>(
      `SELECT item.id, replica_file_id AS copyId, item.replica, item.name, bytes, sha256
       FROM preservation_item AS item INDEXED BY preservation_item_by_check
       JOIN archive_file ON archive_file.name = item.name
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
    /** Returns a row when the file is stored in the replica now. */
    storedIn: store.statement<{ replica: string; name: string }, { id: number }>(
      `SELECT replica_file.id FROM archive_file JOIN replica_file ON file_id = archive_file.id
       WHERE name = @name AND replica = @replica AND ${isStored}`,
    ),
    isCatalogued: store.statement<{ name: string }, { id: number }>(`SELECT id FROM archive_file WHERE name = @name`),
    /** Adds a file that is not in the catalogue, once per check even if the check is resumed. */
    addSurplus: store.statement<{ check: number; replica: string; name: string; nowMs: number }>(
      `INSERT INTO preservation_item (check_id, replica, name, done_ms, finding)
       SELECT @check, @replica, @name, @nowMs, 'surplus' WHERE NOT EXISTS (
         SELECT 1 FROM preservation_item INDEXED BY preservation_item_finding
         WHERE replica_file_id IS NULL AND finding IS NOT NULL AND finding = 'surplus'
           AND check_id = @check AND replica = @replica AND name = @name)`,
    ),
    /** Returns a row when an earlier check had the same finding on a name without a copy. Uses preservation_item_finding. */
    wasFound: store.statement<{ check: number; replica: string; name: string; finding: NameFinding }, { id: number }>(
      `SELECT id FROM preservation_item INDEXED BY preservation_item_finding
       WHERE replica_file_id IS NULL AND finding IS NOT NULL AND finding = @finding
         AND check_id < @check AND replica = @replica AND name = @name LIMIT 1`,
    ),
  }
}

/** Statements of findings: those of one check, and all known problems. */
function findingStatements(store: Store) {
  return {
    findingsOf: store.statement<{ check: number; limit: number }, FindingRow>(
      `SELECT ${findingColumns} FROM preservation_item AS item LEFT JOIN archive_file ON archive_file.name = item.name
       WHERE check_id = @check AND finding IS NOT NULL ORDER BY item.id LIMIT @limit`,
    ),
    /** All known problems in `replicas` (a JSON list of names): for each bad copy its last finding, or its state where no check made
     *  the finding, and the files that are not in the catalogue. */
    findingsNow: store.statement<{ replicas: string; limit: number }, FindingRow>(
      `SELECT replica_file.replica, archive_file.name,
         COALESCE(item.finding, CASE WHEN preservation_state = 'MISSING' THEN 'missing'
           WHEN found_sha256 IS NULL THEN 'unreadable' ELSE 'wrongChecksum' END) AS finding,
         COALESCE(item.expected, CASE WHEN preservation_state = 'MISSING' THEN ${lengthMessage('bytes')} ELSE ${checksumMessage('sha256')} END) AS expected,
         CASE WHEN item.id IS NOT NULL THEN item.found WHEN found_sha256 IS NOT NULL THEN ${checksumMessage('found_sha256')} END AS found, archive_file.job_id AS job
       FROM replica_file
       JOIN archive_file ON archive_file.id = file_id
       LEFT JOIN preservation_item AS item ON item.id = (
         SELECT MAX(id) FROM preservation_item WHERE replica_file_id = replica_file.id AND finding IS NOT NULL)
       WHERE ${isBad}
         AND replica_file.replica IN (SELECT value FROM json_each(@replicas))
       UNION ALL
       SELECT replica, name, 'surplus', NULL, NULL, NULL FROM unregistered_file
       WHERE replica IN (SELECT value FROM json_each(@replicas))
       ORDER BY 1, 2 LIMIT @limit`,
    ),
  }
}

export type PreservationStatements = ReturnType<typeof preservationStatements>
