/** Worker thread that checks one archive file, as implemented in checkFile.ts. */
import { checkFile } from './checkFile.ts'
import { fileTask } from '../work/fileWork.ts'

export const task = fileTask(checkFile)
