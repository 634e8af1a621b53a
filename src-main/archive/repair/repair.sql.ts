/** Statements of repair and of the attic. */
import { failedUploadStates } from '../../contract/states/copyStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { Store } from '../../storage/storage.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { isBad, isNotStored, isStored } from '../copies/copies.sql.ts'

export interface AtticRow {
  id: number
  name: string
  replica: string
  /** Checksum of the copy that was moved; null when it could not be read. */
  sha256: string | null
  bytes: number | null
  registered: string
  who: string
  /** A stored message. */
  reason: string
  begunMs: number
  movedTo: string | null
  movedMs: number | null
  replacedMs: number | null
  restoredAs: string | null
}

export interface RepairableRow {
  name: string
  replica: string
  state: 'missing' | 'corrupt' | 'notStored'
}

/** Position in the list of repairable copies: ordered by file id, then by the position of the replica in the request. */
export interface RepairablePlace {
  file: number
  turn: number
}

const atticColumns = `attic.id, name, replica, attic.sha256, attic.bytes, archive_file.sha256 AS registered, who, reason,
  begun_ms AS begunMs, moved_to AS movedTo, moved_ms AS movedMs, replaced_ms AS replacedMs, restored_as AS restoredAs`
const atticOfFiles = `attic JOIN archive_file ON archive_file.id = file_id`

const isAfter = (file: string) => `${file} >= @file AND (${file} > @file OR wanted.key > @turn)`

/** Finds repairable copies. Bad copies and copies that were not stored are few and indexed; all files are scanned only for replicas
 *  that lack some. */
export const repairableSql = `
  WITH found AS (
    SELECT * FROM (
      SELECT file_id AS file, wanted.key AS turn, replica,
        CASE preservation_state WHEN 'MISSING' THEN 'missing' ELSE 'corrupt' END AS state
      FROM replica_file INDEXED BY replica_file_bad CROSS JOIN json_each(@replicas) AS wanted ON wanted.value = replica
      WHERE ${isStored} AND ${isBad} AND ${isAfter('file_id')}
      ORDER BY file_id, wanted.key LIMIT @limit)
    UNION ALL SELECT * FROM (
      SELECT file_id, wanted.key, replica, 'notStored'
      FROM replica_file INDEXED BY replica_file_not_stored CROSS JOIN json_each(@replicas) AS wanted ON wanted.value = replica
      WHERE ${isNotStored} AND ${stateIn(failedUploadStates, 'upload_state')} AND ${isAfter('file_id')}
      ORDER BY file_id, wanted.key LIMIT @limit)
    UNION ALL SELECT * FROM (
      SELECT archive_file.id, wanted.key, wanted.value, 'notStored'
      FROM archive_file CROSS JOIN json_each(@replicas) AS wanted
      WHERE @lacking <> '[]' AND wanted.value IN (SELECT value FROM json_each(@lacking)) AND ${isAfter('archive_file.id')}
        AND NOT EXISTS (SELECT 1 FROM replica_file WHERE file_id = archive_file.id AND replica = wanted.value)
      ORDER BY archive_file.id, wanted.key LIMIT @limit))
  SELECT file, turn, name, replica, state FROM found CROSS JOIN archive_file ON archive_file.id = file
  ORDER BY file, turn LIMIT @limit`

export function repairStatements(store: Store) {
  return {
    file: store.statement<{ name: string }, FileRow>(
      `SELECT id, name, bytes, sha256, kind, job_id AS jobId, stored_ms AS storedMs FROM archive_file WHERE name = @name`,
    ),
    /** A page of repairable copies in `replicas` (a JSON list of names), after the position where the previous page ended. Copies
     *  being uploaded are excluded. `lacking`: the result of the statement `lacking`, as a JSON list. */
    repairable: store.statement<
      { replicas: string; lacking: string; limit: number } & RepairablePlace,
      RepairableRow & RepairablePlace
    >(repairableSql),
    /** Replicas of `replicas` without a row for some file, as after they were added to the settings. */
    lacking: store.statement<{ replicas: string }, { replica: string }>(
      `SELECT value AS replica FROM json_each(@replicas)
       WHERE COALESCE((SELECT copies FROM replica_total WHERE replica = value), 0) < (SELECT COUNT(*) FROM archive_file)`,
    ),
    intend: store.statement<
      {
        file: number
        replica: string
        sha256: string | null
        bytes: number | null
        who: string
        reason: string
        nowMs: number
      },
      { id: number }
    >(
      `INSERT INTO attic (file_id, replica, sha256, bytes, who, reason, begun_ms)
       VALUES (@file, @replica, @sha256, @bytes, @who, @reason, @nowMs) RETURNING id`,
    ),
    /** Removes an entry whose copy was never moved. */
    forget: store.statement<{ id: number }>(`DELETE FROM attic WHERE id = @id AND moved_to IS NULL`),
    noteMoved: store.statement<{ id: number; movedTo: string; nowMs: number }>(
      `UPDATE attic SET moved_to = @movedTo, moved_ms = @nowMs WHERE id = @id AND moved_to IS NULL`,
    ),
    noteReplaced: store.statement<{ file: number; replica: string; nowMs: number }>(
      `UPDATE attic SET replaced_ms = @nowMs
       WHERE file_id = @file AND replica = @replica AND moved_to IS NOT NULL AND replaced_ms IS NULL`,
    ),
    noteRestored: store.statement<{ id: number; name: string }>(`UPDATE attic SET restored_as = @name WHERE id = @id`),
    /** Files with an attic entry whose repair is not known to be complete. Uses attic_unsettled. */
    unsettledNames: store.statement<object, { name: string }>(
      `SELECT name FROM ${atticOfFiles} WHERE moved_to IS NULL OR replaced_ms IS NULL GROUP BY name ORDER BY MIN(attic.id)`,
    ),
    /** Attic entries of a file whose repair is not known to be complete. Uses attic_by_file. */
    unsettledOf: store.statement<{ name: string }, AtticRow>(
      `SELECT ${atticColumns} FROM ${atticOfFiles}
       WHERE name = @name AND (moved_to IS NULL OR replaced_ms IS NULL) ORDER BY attic.id`,
    ),
    attic: store.statement<{ limit: number }, AtticRow>(
      `SELECT ${atticColumns} FROM ${atticOfFiles} ORDER BY attic.id DESC LIMIT @limit`,
    ),
    /** Attic entries of a file, newest first. Uses attic_by_file. */
    atticOf: store.statement<{ name: string; limit: number }, AtticRow>(
      `SELECT ${atticColumns} FROM ${atticOfFiles} WHERE name = @name ORDER BY attic.id DESC LIMIT @limit`,
    ),
    inAttic: store.statement<{ id: number }, AtticRow>(
      `SELECT ${atticColumns} FROM ${atticOfFiles} WHERE attic.id = @id`,
    ),
    isKnown: store.statement<{ replica: string; movedTo: string }, { id: number }>(
      `SELECT id FROM attic WHERE replica = @replica AND moved_to = @movedTo`,
    ),
  }
}

export type RepairStatements = ReturnType<typeof repairStatements>
