/** Statements of files in a replica that are not in the catalogue. A trigger removes a file from the list when it is registered. */
import type { Store } from '../../storage/storage.ts'

export interface UnregisteredRow {
  replica: string
  name: string
  /** Length of the file; null where a replica of checksums does not know it. */
  bytes: number | null
  foundMs: number
}

const columns = 'replica, name, bytes, found_ms AS foundMs'
const inReplicas = 'replica IN (SELECT value FROM json_each(@replicas))'

export function unregisteredStatements(store: Store) {
  return {
    beginListing: store.statement<{ replica: string }, { listing: number }>(
      `INSERT INTO replica_listing (replica, listing) VALUES (@replica, 1)
       ON CONFLICT (replica) DO UPDATE SET listing = listing + 1 RETURNING listing`,
    ),
    /** Adds the files that the catalogue does not have. `files`: a JSON list of `{name, bytes}`. */
    add: store.statement<{ replica: string; files: string; nowMs: number; listing: number }>(
      `INSERT INTO unregistered_file (replica, name, bytes, found_ms, listing)
       SELECT @replica, value ->> 'name', value ->> 'bytes', @nowMs, @listing FROM json_each(@files)
       WHERE NOT EXISTS (SELECT 1 FROM archive_file WHERE name = value ->> 'name')
       ON CONFLICT (replica, name) DO UPDATE SET bytes = excluded.bytes, listing = excluded.listing`,
    ),
    /** Removes files of earlier listings that this one did not find. */
    removeUnseen: store.statement<{ replica: string; listing: number }>(
      `DELETE FROM unregistered_file WHERE replica = @replica AND listing < @listing`,
    ),
    endListing: store.statement<{ replica: string; nowMs: number }>(
      `UPDATE replica_listing SET listed_ms = @nowMs WHERE replica = @replica`,
    ),
    listing: store.statement<{ replica: string }, { listing: number; listedMs: number | null }>(
      `SELECT listing, listed_ms AS listedMs FROM replica_listing WHERE replica = @replica`,
    ),
    /** First unregistered files by replica and name; `replicas`: a JSON list of names. */
    ofReplicas: store.statement<{ replicas: string; limit: number }, UnregisteredRow>(
      `SELECT ${columns} FROM unregistered_file WHERE ${inReplicas} ORDER BY replica, name LIMIT @limit`,
    ),
    count: store.statement<{ replicas: string }, { total: number }>(
      `SELECT COUNT(*) AS total FROM unregistered_file WHERE ${inReplicas}`,
    ),
    /** Names after `@after`, distinct and in order. */
    namesAfter: store.statement<{ replicas: string; after: string; limit: number }, { name: string }>(
      `SELECT DISTINCT name FROM unregistered_file WHERE ${inReplicas} AND name > @after ORDER BY name LIMIT @limit`,
    ),
    named: store.statement<{ replicas: string; name: string }, UnregisteredRow>(
      `SELECT ${columns} FROM unregistered_file WHERE name = @name COLLATE NOCASE AND name = @name AND ${inReplicas}`,
    ),
  }
}
