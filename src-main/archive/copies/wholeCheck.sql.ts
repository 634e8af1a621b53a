/** Condition on `task` for checks that ran to completion, whatever they found. */
import { stateIn } from '../../storage/schema/stateIn.ts'
import { wholeTaskStates } from '../../contract/states/taskStates.ts'

export const isWhole = stateIn(wholeTaskStates)
