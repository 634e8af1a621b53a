/** Statements of the file list: all files in any order, or filtered. Each uses an index, whatever the number of files. */
import type { CopyState, FileOrder } from '../../contract/services/archivedFiles.ts'
import type { Store } from '../../storage/storage.ts'
import { countFilesSql, type FileRow } from './archive.sql.ts'
import { isNotStored, isStored } from './copies.sql.ts'
import { ageingOf, uncheckedOf, isLongAgo, isOverdue, isToCome, type Believed } from './copyStatus.sql.ts'

/** Filter by name and job. `like`: a LIKE pattern for the name. */
export type Narrowing = { like: string; limit: number; job: number | null }
/** Filter by copies: at least one copy in `replicas` (a JSON list of names) has the state. */
export type OfCopies = { replicas: string; limit: number } & Believed

const columns = 'id, name, bytes, sha256, kind, job_id AS jobId, stored_ms AS storedMs'
const age = 'COALESCE(stored_ms, registered_ms)'

/** Columns of each sort order. Files of equal size or time are sorted by registration. */
const orderTerms: Record<FileOrder, readonly string[]> = {
  name: ['name'],
  job: ['job_id', 'id'],
  bytes: ['bytes', 'id'],
  stored: [age, 'id'],
}

const inReplicas = 'replica IN (SELECT value FROM json_each(@replicas))'

/** Condition on a copy of a given file, by state. */
const holds: Record<Exclude<CopyState, 'notStored'>, string> = {
  missing: `${isStored} AND preservation_state = 'MISSING'`,
  corrupt: `${isStored} AND preservation_state = 'CORRUPT'`,
  neverChecked: `${isStored} AND preservation_state = 'UNCHECKED'`,
  overdue: `${isStored} AND ${isOverdue}`,
  stored: isStored,
}

const ofFile: Record<CopyState, string> = {
  ...mapped(
    holds,
    (held) => `EXISTS (SELECT 1 FROM replica_file WHERE file_id = archive_file.id AND ${inReplicas} AND ${held})`,
  ),
  notStored: `EXISTS (SELECT 1 FROM json_each(@replicas) AS wanted WHERE NOT EXISTS (
    SELECT 1 FROM replica_file WHERE file_id = archive_file.id AND replica = wanted.value AND ${isStored}))`,
}

const inState = (state: string) => `SELECT DISTINCT file_id AS id FROM replica_file INDEXED BY replica_file_by_state
  WHERE preservation_state = '${state}' AND ${inReplicas} AND ${isStored} ORDER BY file_id LIMIT @limit`

/** Statements that find files through their copies, without reading other files. */
const byCopy: Record<CopyState, string> = {
  missing: inState('MISSING'),
  corrupt: inState('CORRUPT'),
  neverChecked: inState('UNCHECKED'),
  overdue: `SELECT DISTINCT file_id AS id FROM (
      SELECT file_id FROM ${ageingOf(inReplicas)} AND ${isLongAgo}
      UNION ALL SELECT file_id FROM ${ageingOf(inReplicas)} AND ${isToCome}
      UNION ALL SELECT file_id FROM ${uncheckedOf(inReplicas)} AND ${isLongAgo}
      UNION ALL SELECT file_id FROM ${uncheckedOf(inReplicas)} AND ${isToCome})
    LIMIT @limit`,
  // A replica with a row for every file lacks none, which is the usual case; it is skipped.
  notStored: `SELECT DISTINCT id FROM (
      SELECT file_id AS id FROM replica_file INDEXED BY replica_file_not_stored
      WHERE ${isNotStored} AND ${inReplicas}
      UNION ALL
      SELECT archive_file.id FROM json_each(@replicas) AS wanted CROSS JOIN archive_file NOT INDEXED
      WHERE (SELECT COUNT(*) FROM replica_file WHERE replica = wanted.value) < (SELECT COUNT(*) FROM archive_file)
        AND NOT EXISTS (SELECT 1 FROM replica_file WHERE file_id = archive_file.id AND replica = wanted.value))
    LIMIT @limit`,
  stored: `SELECT DISTINCT file_id AS id FROM replica_file INDEXED BY replica_file_by_replica
    WHERE ${inReplicas} AND ${isStored} LIMIT @limit`,
}

const named = `name LIKE @like ESCAPE '\\'`
const walked = (condition: string) => ({
  all: `SELECT id FROM archive_file WHERE ${named} AND ${condition} ORDER BY name LIMIT @limit`,
  ofJob: `SELECT id FROM archive_file INDEXED BY archive_file_by_job
    WHERE job_id = @job AND ${named} AND ${condition} LIMIT @limit`,
})

type Id = { id: number }

export function fileListStatements(store: Store) {
  const walks = (condition: string) =>
    mapped(walked(condition), (sql) => store.statement<Narrowing & Partial<OfCopies>, Id>(sql))
  return {
    count: store.statement<object, { total: number }>(countFilesSql),
    countOfJob: store.statement<{ job: number }, { total: number }>(
      `SELECT COUNT(*) AS total FROM archive_file WHERE job_id = @job`,
    ),
    byCopy: mapped(byCopy, (sql) => store.statement<OfCopies, Id>(sql)),
    byName: walks('TRUE'),
    byNameAndCopy: mapped(ofFile, walks),
    /** The files among `ids` (a JSON list) that match the name and the job. */
    among: store.statement<Narrowing & { ids: string }, Id>(
      `SELECT id FROM archive_file
       WHERE id IN (SELECT value FROM json_each(@ids)) AND ${named} AND (@job IS NULL OR job_id = @job) LIMIT @limit`,
    ),
    // The offset is applied in the index, so only the rows of the page are read.
    page: inOrders((order) =>
      store.statement<{ limit: number; offset: number }, FileRow>(
        `SELECT ${columns} FROM archive_file
         WHERE id IN (SELECT id FROM archive_file ORDER BY ${order} LIMIT @limit OFFSET @offset) ORDER BY ${order}`,
      ),
    ),
    pageOfJob: inOrders((order) =>
      store.statement<{ job: number; limit: number; offset: number }, FileRow>(
        `SELECT ${columns} FROM archive_file INDEXED BY archive_file_by_job
         WHERE job_id = @job ORDER BY ${order} LIMIT @limit OFFSET @offset`,
      ),
    ),
    pageAmong: inOrders((order) =>
      store.statement<{ ids: string; limit: number; offset: number }, FileRow>(
        `SELECT ${columns} FROM archive_file
         WHERE id IN (SELECT value FROM json_each(@ids)) ORDER BY ${order} LIMIT @limit OFFSET @offset`,
      ),
    ),
  }
}

export type Direction = 'ascending' | 'descending'

function inOrders<Made>(make: (order: string) => Made): Record<FileOrder, Record<Direction, Made>> {
  return mapped(orderTerms, (terms) => ({
    ascending: make(terms.join(', ')),
    descending: make(terms.map((term) => `${term} DESC`).join(', ')),
  }))
}

function mapped<Key extends string, From, To>(record: Record<Key, From>, make: (from: From) => To): Record<Key, To> {
  const made: Partial<Record<Key, To>> = {}
  for (const key in record) made[key] = make(record[key])
  return made as Record<Key, To>
}
