/** Worker thread that lists the records of one archive file, as implemented in listRecords.ts. */
import { fileTask } from '../work/fileWork.ts'
import { listRecords } from './listRecords.ts'

export const task = fileTask(listRecords)
