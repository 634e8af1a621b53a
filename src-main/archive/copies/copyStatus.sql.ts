/** The statements behind how the copies stand: their ages, and what was last seen of the files that are not all right. */
import type { PreservationState } from '../../contract/states/states.ts'
import type { Store } from '../../storage/storage.ts'
import type { UploadState } from './archive.sql.ts'
import { isBad, isStored } from './copies.sql.ts'

export interface AgesRow {
  neverChecked: number
  overdue: number
  /** When the first of those that no check has looked at was stored. */
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

/** JSON lists of names: of all replicas, and of those that hold the files. `needed`: the votes of a majority. */
export interface Asked {
  replicas: string
  holders: string
  needed: number
}

/** Copies last compared outside of this time are overdue. */
export interface Believed {
  beforeMs: number
  untilMs: number
}

/** What has an age: a bad copy is a finding of another kind. */
const isCompared = `preservation_state IN ('PRESENT', 'OK')`
const stored = `replica = @replica AND ${isStored}`
/** Storing read the copy back and compared it, so an age begins there (`compared_ms`). `which`: of what replicas. */
export const ageingOf = (which: string) =>
  `replica_file INDEXED BY replica_file_ageing WHERE ${which} AND ${isStored} AND ${isCompared}`
const ageing = ageingOf('replica = @replica')
/** A copy that no check has looked at yet: storing compared it, so its first check is due as long after that as any other. */
export const uncheckedOf = (which: string) =>
  `replica_file INDEXED BY replica_file_unchecked WHERE ${which} AND ${isStored} AND preservation_state = 'UNCHECKED'`
const unchecked = uncheckedOf('replica = @replica')
export const isLongAgo = `compared_ms < @beforeMs`
/** What was dated ahead by a clock that was wrong would never come of age. */
export const isToCome = `compared_ms > @untilMs`
/** Of a copy that was found by other means than its age. */
export const isOverdue = `preservation_state IN ('UNCHECKED', 'PRESENT', 'OK') AND (${isLongAgo} OR ${isToCome})`

/** The oldest of these. */
const oldest = (from: string) => `SELECT * FROM (SELECT id, compared_ms FROM ${from} ORDER BY compared_ms LIMIT @limit)`

/** Each part is one stretch of an index: a million copies that are all right are not walked through. */
export const standingSql = {
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

/** One copy at least was stored and is bad now, and none is good. Copies that agree by a majority on another checksum than
 *  the registered one are not said to be lost: which of the two is true is not known. Uses replica_file_bad. */
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

/** A file that a kill left without a copy has a row too, of no replica. */
const seenColumns = `archive_file.id AS fileId, name, job_id AS job, bytes, sha256, COALESCE(replica, '') AS replica,
  upload_state AS upload, preservation_state AS preservation, found_sha256 AS foundSha256`

export function copyStatusStatements(store: Store) {
  return {
    ages: store.statement<{ replica: string } & Believed, AgesRow>(standingSql.ages),
    aging: store.statement<{ replica: string; limit: number } & Believed, AgingRow>(standingSql.aging),
    /** Every copy of the files of which a copy is bad, as far as anyone knows. Uses replica_file_bad. */
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
    /** `names`: a JSON list. */
    copiesOf: store.statement<{ names: string }, SeenRow>(
      `SELECT ${seenColumns} FROM archive_file LEFT JOIN replica_file ON archive_file.id = file_id
       WHERE name IN (SELECT value FROM json_each(@names)) ORDER BY name, replica`,
    ),
  }
}
