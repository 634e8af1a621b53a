/** Statements of bit preservation: checks, their items and their findings. */
import { checkKinds, type TaskStarter } from '../../contract/shapes/taskKinds.ts'
import { activeTaskStates } from '../../contract/states/taskStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { Store } from '../../storage/storage.ts'
import { isBad, isStored } from '../copies/copies.sql.ts'

/** What a task of a check has of its own. */
export interface CheckRow {
  taskId: number
  /** JSON list of the names of the replicas. */
  replicas: string
  filesPattern: string | null
  sample: number | null
  /** State of the list of items; `cleared`: the check has ended and keeps only its findings. */
  list: 'growing' | 'whole' | 'cleared'
}

/** A check that a process works on, or will in a moment. */
export interface ActiveCheckRow {
  id: number
  startedBy: TaskStarter
  /** JSON list of the names of the replicas. */
  replicas: string
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

/** Messages as `storedMessage` writes them, of the values in these columns. */
const lengthMessage = (column: string) => `json_object('code', 'copy.bytes', 'values', json_object('count', ${column}))`
const checksumMessage = (column: string) =>
  `json_object('code', 'copy.checksum', 'values', json_object('sha256', ${column}))`

const findingColumns = `item.replica, item.name, item.finding, item.expected, item.found, archive_file.job_id AS job`
/** All statements of this module, grouped below by what they are about. */
export function preservationStatements(store: Store) {
  return { ...checkStatements(store), ...itemStatements(store), ...findingStatements(store) }
}

/** Statements of the rows of checks. */
function checkStatements(store: Store) {
  return {
    check: store.statement<{ id: number }, CheckRow>(
      `SELECT task_id AS taskId, replicas, files_pattern AS filesPattern, sample, list FROM preservation_check
       WHERE task_id = @id`,
    ),
    /** Checks in an active state. Uses task_not_ended. */
    active: store.statement<object, ActiveCheckRow>(
      `SELECT task.id, started_by AS startedBy, replicas
       FROM task INDEXED BY task_not_ended JOIN preservation_check ON task_id = task.id
       WHERE ${stateIn(checkKinds, 'kind')} AND ended_ms IS NULL AND ${stateIn(activeTaskStates)} ORDER BY task.id`,
    ),
    add: store.statement<Pick<CheckRow, 'taskId' | 'replicas' | 'filesPattern' | 'sample'>>(
      `INSERT INTO preservation_check (task_id, replicas, files_pattern, sample) VALUES (@taskId, @replicas, @filesPattern, @sample)`,
    ),
    /** Marks the list as complete, so that the check can begin. */
    noteListed: store.statement<{ check: number }>(
      `UPDATE preservation_check SET list = 'whole' WHERE task_id = @check`,
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
