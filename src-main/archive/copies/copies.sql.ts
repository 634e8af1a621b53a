/** Conditions on copies, worded exactly as in the partial indexes: SQLite uses a partial index only when the query implies its
 *  condition. */

import { badCopyStates, notStoredUploadStates, storedUploadStates } from '../../contract/states/copyStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'

/** Copies that were stored completely, whatever later checks have found. */
export const isStored = stateIn(storedUploadStates, 'upload_state')
/** Copies that are not stored, or not yet: the condition of the index replica_file_not_stored. */
export const isNotStored = stateIn(notStoredUploadStates, 'upload_state')
/** The condition of the index replica_file_bad, equivalent to `isBadState` of the contract. */
export const isBad = stateIn(badCopyStates, 'preservation_state')
