/** What can be done to archive files, each as a function for here and as a thread: loaded when it is wanted. */
import type { CheckOptions, CheckSummary } from './checkFile.ts'
import type { IndexOptions, IndexSummary } from './indexLines.ts'
import type { ListOptions, ListSummary } from './listRecords.ts'
import type { Deed } from './overFiles.ts'

export const indexDeed: Deed<IndexOptions, IndexSummary> = {
  load: async () => (await import('./indexLines.ts')).indexLines,
  thread: new URL('./indexLines.thread.ts', import.meta.url),
}

export const listDeed: Deed<ListOptions, ListSummary> = {
  load: async () => (await import('./listRecords.ts')).listRecords,
  thread: new URL('./listRecords.thread.ts', import.meta.url),
}

export const checkDeed: Deed<CheckOptions, CheckSummary> = {
  load: async () => (await import('./checkFile.ts')).checkFile,
  thread: new URL('./checkFile.thread.ts', import.meta.url),
}
