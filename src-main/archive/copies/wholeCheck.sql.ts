/** Condition on `preservation_check` for checks that ran to completion, whatever they found. */
import { stateIn } from '../../storage/schema/stateIn.ts'
import { wholeCheckStates } from '../../contract/states/checkEnds.ts'

export const isWhole = stateIn(wholeCheckStates)
