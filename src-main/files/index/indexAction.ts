/** Writing index lines as an action over many files, loaded only when it runs. */
import type { FileAction } from '../work/overFiles.ts'
import type { IndexOptions, IndexSummary } from './indexLines.ts'

/** Writing index lines as an action over many files. Its code is loaded only when it runs. */
export const indexAction: FileAction<IndexOptions, IndexSummary> = {
  load: async () => (await import('./indexLines.ts')).indexLines,
  thread: new URL('./indexLines.thread.ts', import.meta.url),
  coresPerFile: 2,
}
