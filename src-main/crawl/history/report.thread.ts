/** Worker thread that makes one report, with its own read-only connection: a report on millions of rows takes seconds. */
import { openReader } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import type { HistoryQuery, HistoryReport } from '../../contract/services/history.ts'
import { makeReport } from './report.ts'

/** The database, and the report to make. */
export interface ReportInput {
  databasePath: string
  query: HistoryQuery
}

/** Makes the report. */
export const task: Task<ReportInput, HistoryReport> = async ({ world, signal }, { databasePath, query }) => {
  const store = openReader(databasePath)
  try {
    return await makeReport({ store, nowMs: world.clock.now(), signal }, query)
  } finally {
    store.close()
  }
}
