/** Checking as an action over many files, loaded only when it runs. */
import type { FileAction } from '../work/overFiles.ts'
import type { CheckOptions, CheckSummary } from './checkFile.ts'

/** Checking as an action over many files. Its code is loaded only when it runs. */
export const checkAction: FileAction<CheckOptions, CheckSummary> = {
  load: async () => (await import('./checkFile.ts')).checkFile,
  thread: new URL('./checkFile.thread.ts', import.meta.url),
  coresPerFile: 1,
}
