/** Checks a complete copy of the database and reads what it holds. */
import { checkDatabase, type DatabaseCheck } from '../../storage/copies.ts'
import { newestSchemaVersion } from '../../storage/schema/migrations.ts'
import { openReader } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { contentStatement, type ContentRow } from './backup.sql.ts'

export interface CheckedCopy extends DatabaseCheck {
  /** Contents of the copy; undefined when it has problems or another schema version. */
  content: ContentRow | undefined
}

export const task: Task<string, CheckedCopy, number> = async ({ report, signal }, path) => {
  const check = await checkDatabase(path, { signal, onProgress: report })
  const isOurs = check.problems.length === 0 && check.schemaVersion === newestSchemaVersion
  return { ...check, content: isOurs ? contentOf(path) : undefined }
}

function contentOf(path: string): ContentRow | undefined {
  const store = openReader(path)
  try {
    return contentStatement(store).get({})
  } finally {
    store.close()
  }
}
