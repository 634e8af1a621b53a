import { checkFile } from './checkFile.ts'
import { fileTask } from './fileWork.ts'

/** See checkFile.ts. */
export const task = fileTask(checkFile)
