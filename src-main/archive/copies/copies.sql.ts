/** Conditions on copies, worded exactly as in the partial indexes: SQLite uses a partial index only when the query implies its
 *  condition. */

import { badCopyStates } from '../../contract/states/copyStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'

/** Copies that were stored completely, whatever later checks have found. */
export const isStored = `upload_state = 'UPLOAD_COMPLETED'`
/** The condition of the index replica_file_bad, equivalent to `isBadState` of the contract. */
export const isBad = stateIn(badCopyStates, 'preservation_state')
