/** Notes the archive files that a build reads, before it begins: after a kill it is known which ones are left. */
import { extractionVersion } from '../../formats/text/extracted.ts'
import type { TaskContext } from '../../world/world.ts'
import { textWriteStatements } from './store/textIndex.sql.ts'
import { openTextStore } from './store/textStore.ts'

export interface BeginInput {
  /** Path of the index. */
  index: string
  /** Job 0: of no job. */
  files: { name: string; job: number }[]
}

export async function task(_: TaskContext<never>, { index, files }: BeginInput): Promise<void> {
  const store = openTextStore(index)
  try {
    const { noteFile } = textWriteStatements(store)
    store.transaction(() => {
      for (const file of files) noteFile.run({ ...file, extraction: extractionVersion })
    })
  } finally {
    store.close()
  }
}
