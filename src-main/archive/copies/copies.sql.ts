/** Conditions on copies, in the words in which the partial indexes have them: SQLite takes such an index only for those. */

export const isStored = `upload_state = 'UPLOAD_COMPLETED'`
/** As the index replica_file_bad has it, and `isBadState` of the contract. */
export const isBad = `preservation_state IN ('MISSING', 'CORRUPT')`
