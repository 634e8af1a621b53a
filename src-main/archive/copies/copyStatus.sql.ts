/** Statements of the copy status: the ages of copies, and the last findings on files that have bad copies. */
import type { PreservationState } from '../../contract/states/states.ts'
import { checkedCopyStates, intactCopyStates } from '../../contract/states/copyStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { Store } from '../../storage/storage.ts'
import type { UploadState } from './archive.sql.ts'
import { isBad, isStored } from './copies.sql.ts'

export interface AgesRow {
  neverChecked: number
  overdue: number
  /** When the oldest copy not yet checked was stored. */
  oldestUncheckedMs: number | null
  oldestVerifiedMs: number | null
}

export interface AgingRow {
  replica: string
  name: string
  finding: 'neverChecked' | 'overdue'
  verifiedMs: number | null
  storedMs: number
  job: number | null
}

export interface SeenRow {
  fileId: number
  name: string
  job: number | null
  bytes: number
  sha256: string
  replica: string
  upload: UploadState
  preservation: PreservationState
  foundSha256: string | null
}

export interface LostRow {
  name: string
  job: number | null
  bytes: number
}

/** `replicas` and `holders`: JSON lists of the names of all replicas, and of those that hold files. `needed`: the votes of a majority. */
export interface Asked {
  replicas: string
  holders: string
  needed: number
}

/** Period in which a comparison must lie; copies last compared outside of it are overdue. */
export interface Believed {
  beforeMs: number
  untilMs: number
}

/** Copies that can become overdue; bad copies are a separate finding. */
const isCompared = stateIn(checkedCopyStates, 'preservation_state')
const stored = `replica = @replica AND ${isStored}`
/** FROM clause for checked copies of the replicas that `which` selects. The age starts with the store (`compared_ms`), which read the
 *  copy back and compared it. */
export const ageingOf = (which: string) =>
  `replica_file INDEXED BY replica_file_ageing WHERE ${which} AND ${isStored} AND ${isCompared}`
const ageing = ageingOf('replica = @replica')
/** FROM clause for copies not yet checked. The store compared them, so the first check is due after the usual period. */
export const uncheckedOf = (which: string) =>
  `replica_file INDEXED BY replica_file_unchecked WHERE ${which} AND ${isStored} AND preservation_state = 'UNCHECKED'`
const unchecked = uncheckedOf('replica = @replica')
export const isLongAgo = `compared_ms < @beforeMs`
/** A comparison dated in the future by a wrong clock would otherwise never become overdue. */
export const isToCome = `compared_ms > @untilMs`
/** Condition for an overdue copy, where the copies were not selected by age. */
export const isOverdue = `${stateIn(intactCopyStates, 'preservation_state')} AND (${isLongAgo} OR ${isToCome})`

/** The oldest copies of a FROM clause, at most `@limit`. */
const oldest = (from: string) => `SELECT * FROM (SELECT id, compared_ms FROM ${from} ORDER BY compared_ms LIMIT @limit)`

/** Each part reads one range of an index, so that copies that are in order are not scanned. */
export const copyStateSql = {
  ages: `SELECT COALESCE((SELECT never_checked FROM replica_total WHERE replica = @replica), 0) AS neverChecked,
      (SELECT COUNT(*) FROM ${ageing} AND ${isLongAgo}) + (SELECT COUNT(*) FROM ${ageing} AND ${isToCome})
        + (SELECT COUNT(*) FROM ${unchecked} AND ${isLongAgo}) + (SELECT COUNT(*) FROM ${unchecked} AND ${isToCome}) AS overdue,
      (SELECT MIN(compared_ms) FROM ${unchecked}) AS oldestUncheckedMs,
      (SELECT MIN(verified_ms) FROM replica_file INDEXED BY replica_file_verified WHERE ${stored}) AS oldestVerifiedMs`,
  aging: `SELECT replica, name, CASE preservation_state WHEN 'UNCHECKED' THEN 'neverChecked' ELSE 'overdue' END AS finding,
      verified_ms AS verifiedMs, COALESCE(stored_ms, registered_ms) AS storedMs, job_id AS job
    FROM (SELECT id AS aged FROM (
        ${oldest(`${unchecked} AND ${isLongAgo}`)} UNION ALL ${oldest(`${unchecked} AND ${isToCome}`)} UNION ALL
        ${oldest(`${ageing} AND ${isLongAgo}`)} UNION ALL ${oldest(`${ageing} AND ${isToCome}`)}
      ) ORDER BY compared_ms LIMIT @limit)
    CROSS JOIN replica_file ON replica_file.id = aged JOIN archive_file ON archive_file.id = file_id
    ORDER BY compared_ms, name`,
}

/** Lost files: at least one copy was stored and is bad, and none is good. Files whose copies agree by a majority on a checksum other
 *  than the registered one are excluded, because it is not known which checksum is right. Uses replica_file_bad. */
const lost = `FROM archive_file WHERE id IN (
    SELECT file_id FROM replica_file INDEXED BY replica_file_bad
    WHERE ${isStored} AND ${isBad}
      AND replica IN (SELECT value FROM json_each(@holders)))
  AND NOT EXISTS (
    SELECT 1 FROM replica_file WHERE file_id = archive_file.id AND ${isStored} AND NOT ${isBad} AND replica IN (SELECT value FROM json_each(@holders)))
  AND NOT EXISTS (
    SELECT 1 FROM replica_file WHERE file_id = archive_file.id AND ${isStored}
      AND preservation_state <> 'MISSING' AND found_sha256 <> sha256
      AND replica IN (SELECT value FROM json_each(@replicas))
    GROUP BY found_sha256 HAVING COUNT(*) >= @needed)`

/** A file that a crash left without copies has one row, with an empty replica. */
const seenColumns = `archive_file.id AS fileId, name, job_id AS job, bytes, sha256, COALESCE(replica, '') AS replica,
  upload_state AS upload, preservation_state AS preservation, found_sha256 AS foundSha256`

export function copyStatusStatements(store: Store) {
  return {
    ages: store.statement<{ replica: string } & Believed, AgesRow>(copyStateSql.ages),
    aging: store.statement<{ replica: string; limit: number } & Believed, AgingRow>(copyStateSql.aging),
    /** All copies of the files that have a copy known to be bad. Uses replica_file_bad. */
    doubtful: store.statement<{ limit: number }, SeenRow>(
      `SELECT ${seenColumns} FROM replica_file JOIN archive_file ON archive_file.id = file_id
       WHERE file_id IN (
         SELECT file_id FROM replica_file INDEXED BY replica_file_bad
         WHERE ${isStored} AND ${isBad}
         ORDER BY file_id LIMIT @limit)
       ORDER BY name, replica`,
    ),
    lost: store.statement<Asked & { limit: number }, LostRow>(
      `SELECT name, job_id AS job, bytes ${lost} ORDER BY id LIMIT @limit`,
    ),
    lostTotal: store.statement<Asked, { total: number }>(`SELECT COUNT(*) AS total ${lost}`),
    /** Copies of files by name; `names`: a JSON list. */
    copiesOf: store.statement<{ names: string }, SeenRow>(
      `SELECT ${seenColumns} FROM archive_file LEFT JOIN replica_file ON archive_file.id = file_id
       WHERE name IN (SELECT value FROM json_each(@names)) ORDER BY name, replica`,
    ),
  }
}
