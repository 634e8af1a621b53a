/** Which rows of `preservation_check` went through to their end, whatever they found. */
import { wholeCheckStates } from '../../contract/states/checkEnds.ts'

export const isWhole = `state IN (${wholeCheckStates.map((state) => `'${state}'`).join(', ')})`
