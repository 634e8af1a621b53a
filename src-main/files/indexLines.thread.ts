import { fileTask } from './fileWork.ts'
import { indexLines } from './indexLines.ts'

/** See indexLines.ts. */
export const task = fileTask(indexLines)
