/** The thread that lists the records of one archive file: listRecords.ts says how. */
import { fileTask } from '../work/fileWork.ts'
import { listRecords } from './listRecords.ts'

export const task = fileTask(listRecords)
