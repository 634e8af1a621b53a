/** The thread that makes the index lines of one archive file: indexLines.ts says how. */
import { fileTask } from '../work/fileWork.ts'
import { indexLines } from './indexLines.ts'

export const task = fileTask(indexLines)
