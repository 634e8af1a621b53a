/** Condition on `preservation_check` for checks that ran to completion, whatever they found. */
import { wholeCheckStates } from '../../contract/states/checkEnds.ts'

export const isWhole = `state IN (${wholeCheckStates.map((state) => `'${state}'`).join(', ')})`
