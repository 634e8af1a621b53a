/** Makes one report, over a connection of its own that only reads: a report over millions of rows takes seconds. */
import { openReader } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import type { HistoryQuery, HistoryReport } from '../../contract/services/history.ts'
import { makeReport } from './report.ts'

export interface ReportInput {
  databasePath: string
  query: HistoryQuery
}

export const task: Task<ReportInput, HistoryReport> = async ({ world, signal }, { databasePath, query }) => {
  const store = openReader(databasePath)
  try {
    return await makeReport({ store, nowMs: world.clock.now(), signal }, query)
  } finally {
    store.close()
  }
}
