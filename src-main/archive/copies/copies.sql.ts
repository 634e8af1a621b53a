/** Conditions on copies, worded exactly as in the partial indexes: SQLite uses a partial index only when the query implies its
 *  condition. */

export const isStored = `upload_state = 'UPLOAD_COMPLETED'`
/** The condition of the index replica_file_bad, equivalent to `isBadState` of the contract. */
export const isBad = `preservation_state IN ('MISSING', 'CORRUPT')`
