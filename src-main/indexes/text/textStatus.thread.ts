/** What is in the text index, counted in a thread: with a million captures it takes longer than an answer may. */
import { extractionVersion } from '../../formats/text/extracted.ts'
import type { TaskContext } from '../../world/world.ts'
import { textStatusStatements, type IndexedJobRow } from './store/textIndex.sql.ts'
import { openTextStore } from './store/textStore.ts'

/** What is in the index. */
export interface TextStatus {
  jobs: IndexedJobRow[]
  /** Different contents. */
  contents: number
}

export function task(_: TaskContext<never>, { index }: { index: string }): Promise<TextStatus> {
  const store = openTextStore(index)
  try {
    const sql = textStatusStatements(store)
    return Promise.resolve({
      jobs: sql.jobs.all({ extraction: extractionVersion }),
      contents: sql.contents.get({})?.count ?? 0,
    })
  } finally {
    store.close()
  }
}
