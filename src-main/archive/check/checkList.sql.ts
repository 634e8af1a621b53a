/** Statements of the lists of checks. */
import type { Store } from '../../storage/storage.ts'
import { isStored } from '../copies/copies.sql.ts'
import { isWhole } from '../copies/wholeCheck.sql.ts'

/** `files` is a JSON list of file ids. CROSS JOIN fixes the join order; otherwise SQLite scans all copies for each step. */
export function checkListStatements(store: Store) {
  return {
    /** Files after the id `@after`, in the order of registration; `replicas`: only files stored in one of these, null for all files. */
    candidates: store.statement<
      { replicas: string | null; after: number; limit: number },
      { id: number; name: string }
    >(
      `SELECT id, name FROM archive_file
       WHERE id > @after AND (@replicas IS NULL OR EXISTS (
         SELECT 1 FROM replica_file
         WHERE file_id = archive_file.id AND ${isStored} AND replica IN (SELECT value FROM json_each(@replicas))))
       ORDER BY id LIMIT @limit`,
    ),
    /** Total bytes of the files' copies in these replicas. */
    bytesOf: store.statement<{ replicas: string; files: string }, { bytes: number }>(
      `SELECT COALESCE(SUM(bytes), 0) AS bytes
       FROM json_each(@files) CROSS JOIN archive_file ON archive_file.id = json_each.value
       CROSS JOIN replica_file ON file_id = archive_file.id
       WHERE ${isStored} AND replica IN (SELECT value FROM json_each(@replicas))`,
    ),
    /** Adds the items of one replica, including files that are not stored there: that is a finding if it still holds when the item is
     *  checked. */
    addItems: store.statement<{ check: number; replica: string; files: string }>(
      `INSERT INTO preservation_item (check_id, replica_file_id, replica, name)
       SELECT @check, replica_file.id, @replica, name
       FROM json_each(@files) CROSS JOIN archive_file ON archive_file.id = json_each.value
       LEFT JOIN replica_file ON file_id = archive_file.id AND replica = @replica AND ${isStored}
       ORDER BY archive_file.id`,
    ),
    /** Items of a check in the order of their ids. Uses preservation_item_by_id. */
    listed: store.statement<{ check: number; after: number; limit: number }, { id: number; finding: string | null }>(
      `SELECT id, finding FROM preservation_item INDEXED BY preservation_item_by_id
       WHERE check_id = @check AND id > @after ORDER BY id LIMIT @limit`,
    ),
    removeItems: store.statement<{ ids: string }>(
      `DELETE FROM preservation_item WHERE id IN (SELECT value FROM json_each(@ids))`,
    ),
    noteCleared: store.statement<{ check: number }>(
      `UPDATE preservation_check SET list = 'cleared' WHERE task_id = @check`,
    ),
    toClear: store.statement<object, { id: number }>(
      `SELECT task_id AS id FROM preservation_check JOIN task ON task.id = task_id
       WHERE ${isWhole} AND list <> 'cleared' ORDER BY task_id`,
    ),
  }
}
