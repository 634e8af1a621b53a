/** Statements that record what a check, a repair or an upload found of one copy. */
import type { PreservationState } from '../../contract/states/states.ts'
import type { Store } from '../../storage/storage.ts'
import type { UploadState } from './archive.sql.ts'

export interface StoredCopy {
  id: number
  upload: UploadState
  preservation: PreservationState
}

export function observedCopyStatements(store: Store) {
  return {
    copy: store.statement<{ file: number; replica: string }, StoredCopy>(
      `SELECT id, upload_state AS upload, preservation_state AS preservation FROM replica_file
       WHERE file_id = @file AND replica = @replica`,
    ),
    stateOf: store.statement<{ id: number }, { state: PreservationState }>(
      `SELECT preservation_state AS state FROM replica_file WHERE id = @id`,
    ),
    /** Records the result of a check. `changed`: the content is no longer what was read last, so its checksum is unknown. */
    noteCopy: store.statement<{
      id: number
      nowMs: number
      verifiedMs: number | null
      sha256: string | null
      bytes: number | null
      changed: 0 | 1
    }>(
      `UPDATE replica_file SET checked_ms = @nowMs, found_bytes = @bytes, verified_ms = COALESCE(@verifiedMs, verified_ms),
         found_sha256 = COALESCE(@sha256, CASE @changed WHEN 0 THEN found_sha256 END)
       WHERE id = @id`,
    ),
  }
}
