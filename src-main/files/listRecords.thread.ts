import { fileTask } from './fileWork.ts'
import { listRecords } from './listRecords.ts'

/** See listRecords.ts. */
export const task = fileTask(listRecords)
