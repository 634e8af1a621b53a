/** Worker thread that makes the index lines of one archive file, as implemented in indexLines.ts. */
import { fileTask } from '../work/fileWork.ts'
import { indexLines } from './indexLines.ts'

export const task = fileTask(indexLines)
