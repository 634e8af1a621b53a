/** Listing records as an action over many files, loaded only when it runs. */
import type { FileAction } from '../work/overFiles.ts'
import type { ListOptions, ListSummary } from './listRecords.ts'

/** Listing records as an action over many files. Its code is loaded only when it runs. */
export const listAction: FileAction<ListOptions, ListSummary> = {
  load: async () => (await import('./listRecords.ts')).listRecords,
  thread: new URL('./listRecords.thread.ts', import.meta.url),
  coresPerFile: 1,
}
