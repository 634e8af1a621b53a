/** The thread that checks one archive file: checkFile.ts says how. */
import { checkFile } from './checkFile.ts'
import { fileTask } from '../work/fileWork.ts'

export const task = fileTask(checkFile)
