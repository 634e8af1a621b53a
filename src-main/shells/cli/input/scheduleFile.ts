/** The file of `--schedule`: the value of `schedule` in a harvest's definition, or a single record of it. */
import { scheduleShape, type Schedule } from '../../../contract/services/schedule.ts'
import { readShape } from './jsonFile.ts'

export async function readSchedule(path: string): Promise<Schedule> {
  return readShape('schedule', path, {
    shape: scheduleShape,
    wrap: (value) => (typeof value === 'object' && value !== null && !('records' in value) ? { records: [value] } : value), // prettier-ignore
  })
}
